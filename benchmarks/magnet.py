"""Does a penalty for leaving a reference policy help self-play? (magnetic mirror descent, Sokota et al., 2023)

    python -m benchmarks.magnet twits --players 2 --coefficient 0.02

Trains as the game's baseline is trained, but that the entropy bonus gives way to a penalty on the divergence of the
policy from what it was when it had imitated the expert. Prints win rates against expert and baseline.
"""

import argparse
import copy
from pathlib import Path
from typing import Any

import torch
from hydra import compose, initialize_config_dir

import agents
import training.train
from training.cli import CONFIGS, make_console
from training.duplicate import play_duplicates
from training.evaluate import percent

TRAIN: Any = training.train  # whose imitation is replaced
imitate = TRAIN.imitate


def attach_magnet(model: Any, *rest: Any) -> None:
    """Imitate, then let the entropy that the learner is rewarded for be minus the divergence from what it is now."""
    imitate(model, *rest)
    policy, magnet = model.policy, copy.deepcopy(model.policy)

    def evaluate_actions(observations: Any, actions: Any, action_masks: Any = None) -> tuple[Any, Any, Any]:
        distribution = policy.get_distribution(observations, action_masks).distribution
        with torch.no_grad():
            reference = magnet.get_distribution(observations, action_masks).distribution
        divergence = torch.distributions.kl_divergence(distribution, reference)
        return policy.predict_values(observations), distribution.log_prob(actions), -divergence

    policy.evaluate_actions = evaluate_actions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--coefficient", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, help="learner steps, by default those of the baseline")
    parser.add_argument("--deals", type=int, default=10_000)
    asked = parser.parse_args()
    run = f"runs/magnet_{asked.game}_{asked.players}p_{asked.coefficient}_seed{asked.seed}"
    overrides = [
        f"game={asked.game}", f"+experiment=baseline_{asked.game}_{asked.players}p", f"seed={asked.seed}",
        f"algorithm.ent_coef={asked.coefficient}", f"output={run}", "progress=false",
    ]  # fmt: skip
    overrides += [f"total_steps={asked.steps}"] if asked.steps else []
    with initialize_config_dir(CONFIGS, version_base=None):
        config = compose("train", overrides)
    TRAIN.imitate = attach_magnet
    TRAIN.train(config, make_console())
    learnt = agents.load(str(Path(run) / "policy.npz"), asked.game, asked.players)
    for name in ("random", "greedy", "expert", "baseline"):
        table = [agents.load(name, asked.game, asked.players)] * (asked.players - 1)
        result = play_duplicates(asked.game, asked.players, learnt, table, asked.deals)
        print(f"against {name}: {percent(result.win_rate)}", flush=True)


if __name__ == "__main__":
    main()

"""Behaviour cloning: record a policy, fit a network to its decisions, and see how strong the clone is.

    python docs/recipes/behaviour_cloning.py

needs `pip install "cardenvs[train,data]"` and a checkout. `--small` is over in seconds, and clones nobody well.
"""

import argparse

import numpy as np
import torch

import agents
from agents import Agent
from training import datasets
from training.duplicate import play_duplicates
from training.evaluate import percent
from training.record import describe, record


def main(words=None):
    settings = parse(words)
    game, players = settings.game, settings.players
    table = [settings.teacher] + [settings.opponent] * (players - 1)
    folder = f"{settings.output}/{game}_{players}p"
    record(folder, describe(game, players, table, settings.episodes, settings.seed))
    metadata, rows = datasets.load(folder, ["agent", "observation", "action_mask", "action"])
    mine = rows.pop("agent") == settings.teacher
    network = fit({name: values[mine] for name, values in rows.items()}, metadata, settings)
    clone = Agent(f"a clone of {settings.teacher}", act=lambda seen, masks: choose(network, seen, masks))
    opponents = [agents.load(settings.opponent, game, players)] * (players - 1)
    results = []
    for agent in (agents.load(settings.teacher, game, players), clone):
        results.append(play_duplicates(game, players, agent, opponents, settings.deals, settings.seed))
        print(f"{agent.name:>20}: win rate {percent(results[-1].win_rate)} against {settings.opponent}")
    taught, cloned = (result.win_rate for result in results)
    verdict = "within" if taught.low <= cloned.mean <= taught.high else "outside"
    print(f"The clone is {verdict} the 95% interval of what it was cloned from; {mine.sum():,} decisions.")
    return results


def fit(rows, metadata, settings):
    """A network whose logits, where legal, are those of the recorded actions: masked cross-entropy, by Adam."""
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    width = settings.width
    network = torch.nn.Sequential(
        torch.nn.Linear(metadata["observation_size"], width), torch.nn.ReLU(),
        torch.nn.Linear(width, width), torch.nn.ReLU(),
        torch.nn.Linear(width, len(metadata["action_names"])),
    )  # fmt: skip
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    chosen = rows["action_mask"].sum(axis=1) > 1  # what is forced teaches nothing
    seen, masks, actions = (torch.as_tensor(rows[name][chosen]) for name in ("observation", "action_mask", "action"))
    held_out = len(seen) // 20  # the last episodes
    seen, masks, actions, *test = (
        part
        for cut in (slice(None, len(seen) - held_out), slice(len(seen) - held_out, None))
        for part in (seen[cut], masks[cut], actions[cut])
    )
    steps = settings.epochs * (len(seen) // settings.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=steps + 1)
    for epoch in range(settings.epochs):
        order = torch.as_tensor(rng.permutation(len(seen)))
        for at in range(0, len(seen) - settings.batch + 1, settings.batch):
            batch = order[at : at + settings.batch]
            logits = network(seen[batch]).masked_fill(~masks[batch], -torch.inf)
            loss = torch.nn.functional.cross_entropy(logits, actions[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        right = choose(network, test[0].numpy(), test[1].numpy()) == test[2].numpy()
        print(f"epoch {epoch + 1}: {right.mean():.1%} of choices in held-out episodes as recorded")
    return network


def choose(network, observations, masks):
    """int64 (n,): the legal actions with the highest logits."""
    with torch.no_grad():
        logits = network(torch.as_tensor(observations))
    return logits.masked_fill(~torch.as_tensor(masks), -torch.inf).argmax(dim=1).numpy()


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="uno_all_wild")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--teacher", default="expert", help="whom to clone")
    parser.add_argument("--opponent", default="greedy", help="against whom, at all other seats")
    parser.add_argument("--episodes", type=int, default=20_000)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--deals", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", default="runs/cloning")
    parser.add_argument("--small", action="store_true", help="a few episodes, one epoch, a few deals")
    settings = parser.parse_args(words)
    if settings.small:
        settings.episodes, settings.epochs, settings.width, settings.deals = 300, 1, 32, 20
    return settings


if __name__ == "__main__":
    main()

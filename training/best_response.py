"""How much can be won from an agent: `python -m training.best_response agent=expert game=twits game.num_players=2`.

An exploiter is trained against tables of the agent alone, and what it then wins from them is a lower bound of the best
response. For tiny decks at two players `exact=true` computes the best response itself (`training.exact`), to hold the
exploiter against.
"""

from pathlib import Path
from typing import Any

from omegaconf import DictConfig
from rich.console import Console

import agents
from agents import Agent, AgentError
from cardenvs.core.errors import OptionError
from training.cli import command, game_options, make_console, write_json
from training.duplicate import Result, play_duplicates
from training.evaluate import number, percent, verdict
from training.exact import best_response_value
from training.runs import restore_config
from training.train import train


class Opponent:
    """An agent's `act` as a callable opponent."""

    def __init__(self, agent: Agent) -> None:
        self.act = agent.act
        self.encoding = agent.encoding

    def __call__(self, observations: Any, masks: Any) -> Any:
        assert self.act is not None
        return self.act(observations, masks)


def as_opponent(agent: Agent) -> Any:
    """What an environment takes as an opponent for it.

    Raises
    ------
    AgentError
        If it searches: that is too slow to train against.
    """
    if agent.search:
        raise AgentError(f"no best response to {agent.name} can be trained: it searches.")
    return agent.scripted or Opponent(agent)


def exploit(config: DictConfig, console: Console) -> Result:
    """Train the exploiter, and play it against a table of the agent."""
    game, players, options = config.game.name, config.game.num_players, game_options(config)
    agent = agents.load(config.agent, game, players, options)
    run = train(config, console, as_opponent(agent))
    exploiter = agents.load(str(run), game, players, options)
    return play_duplicates(game, players, exploiter, [agent] * (players - 1), config.deals, config.seed, options)


def report(result: Result, exact: float | None, console: Console) -> None:
    console.print(
        f"The exploiter wins {percent(result.win_rate)} of {result.games:,} games against tables of "
        f"{result.opponents[0]} ({verdict(result)}; a fair share is {result.fair_share:.1%}); "
        f"payoff {number(result.payoff, 3)}."
    )
    if exact is not None:
        console.print(f"The best response there is has a payoff of {exact:+.3f}.")


@command(
    "best_response",
    kept="It goes on from its last checkpoint, if it has one, by python -m training.best_response resume={output}",
)
def main(config: DictConfig) -> None:
    console = make_console()
    if config.resume:
        config = restore_config(Path(config.resume), config)
    check(config)
    exact = best_response_value(config, console) if config.exact else None
    result = exploit(config, console)
    report(result, exact, console)
    write_json(Path(config.output) / "best_response.json", result.as_dict() | {"exact_payoff": exact})


def check(config: DictConfig) -> None:
    """Refuse what makes no best response, before anything is trained."""
    if config.get("agent") is None:
        raise OptionError("agent is missing: it must name whom to exploit.")
    if config.league.weight:
        raise OptionError("a best response is trained against the agent alone: league.weight must be 0.")
    if game_options(config).get("reward") == "score":
        raise OptionError("reward is 'score': payoffs of best responses are those of reward='win'.")


if __name__ == "__main__":
    main()

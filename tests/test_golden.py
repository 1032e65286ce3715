"""Replays of games that an independent implementation played (golden/README.md)."""

import gzip
import json
from pathlib import Path

import pytest

from cardenvs import games
from cardenvs.engine.batch import BatchGame
from cardenvs.envs.aec import CardAECEnv

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*/*.jsonl.gz"))
REWARD_TOLERANCE = 1e-6


class BatchDriver:
    """One episode through `BatchGame`.

    A driver is made from the header of a file; `step` takes an action's index and returns the rewards by seat.
    """

    def __init__(self, header):
        self.game = BatchGame(header["game"], seed=0, num_players=header["num_players"], **header["options"])
        self.game.reset(options=header["reset"])

    def snapshot(self):
        return self.game.snapshot()

    def action_name(self, action):
        return self.game.action_name(action)

    def step(self, action):
        self.game.step([action])
        return self.game.rewards[0].tolist()


class AECDriver:
    """The same through PettingZoo's interface."""

    def __init__(self, header):
        self.env = CardAECEnv(header["game"], num_players=header["num_players"], **header["options"])
        self.env.reset(options=header["reset"])

    def snapshot(self):
        return self.env.snapshot()

    def action_name(self, action):
        return self.env.action_name(action)

    def step(self, action):
        self.env.step(action)
        return [self.env.rewards[agent] for agent in self.env.possible_agents]


def replay(path, driver):
    """Play a file through a driver, comparing all that it tells after each decision."""
    header, start, *decisions = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    episode = driver(header)
    compare(start["snapshot"], episode.snapshot(), "after the deal")
    for number, line in enumerate(decisions, start=1):
        where = f"at decision {number}, {line['name']}"
        assert episode.action_name(line["action"]) == line["name"], where
        compare_step(episode, line["rewards"], episode.step(line["action"]), line["snapshot"], where)


def compare_step(episode, rewards, paid, snapshot, where):
    """What a step has paid, and where it led."""
    assert paid == pytest.approx(rewards, abs=REWARD_TOLERANCE), where
    compare(snapshot, episode.snapshot(), where)


def compare(expected, snapshot, where):
    """Key by key, as JSON, in which true is not 1."""
    assert sorted(expected) == sorted(snapshot), where
    for key in expected:
        assert json.dumps(snapshot[key], sort_keys=True) == json.dumps(expected[key], sort_keys=True), f"{key} {where}"


@pytest.mark.parametrize("name", games.VERSIONS)
def test_every_game_has_golden_games(name):
    assert list((GOLDEN / name).glob("*.jsonl.gz"))


@pytest.mark.parametrize("driver", [BatchDriver, AECDriver])
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name.removesuffix('.jsonl.gz')}")
def test_golden_game_is_replayed_exactly(path, driver):
    replay(path, driver)

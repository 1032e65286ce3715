"""Files of replays: JSON lines, in the form of the golden games that the rules are tested with.

The first line is a header: ``game``, ``num_players``, ``options``, what a reset needs (``reset`` with the ``dealer``
and all ``shuffles``) and, where they are known, the ``agents`` by seat. Then comes the ``snapshot`` after the deal, and
a line for each decision: its ``action``, its ``name``, the ``rewards`` by seat, the ``snapshot`` after it, and whatever
was remarked of it, such as ``probabilities`` by action and ``value``. Files whose names end in ``.gz`` are compressed.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardenvs import games
from cardenvs.core.game import as_keywords
from cardenvs.engine.batch import BatchGame
from cardenvs.engine.shuffles import find_shuffles
from cardenvs.render.journal import Journal

REWARD_TOLERANCE = 1e-6


class ReplayError(ValueError):
    """A file that is no replay, or not one of a game as it is played here: names the line."""


@dataclass(frozen=True)
class Replay:
    """What a file holds: its header, the snapshot after the deal, and a mapping for each decision."""

    header: dict[str, Any]
    start: dict[str, Any]
    decisions: list[dict[str, Any]]


def save(path: str | Path, journal: Journal, agents: Sequence[str] = ()) -> Path:
    """Write the episode of a journal (`env.unwrapped.journal()`) as it is by now; `agents` are names by seat.

    Raises
    ------
    ReplayError
        If the journal was begun in the middle of the episode.
    """
    if journal.missed:
        raise ReplayError(f"{journal.missed} decisions of this episode are not in the journal: reset the game first.")
    table, path = journal.games, Path(path)
    deck = games.get(table.game.name).default_deck
    options = as_keywords(table.game, table.options)
    if options.get("deck") == deck:
        del options["deck"]
    shuffles = find_shuffles(table, journal.key, journal.dealer, journal.actions, journal.stack)
    header: dict[str, Any] = {"game": table.game.name, "num_players": table.num_players, "options": options}
    header["reset"] = {"dealer": journal.dealer, "shuffles": shuffles[: journal.position["shuffles"]]}
    if agents:
        header["agents"] = list(agents)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(line, ensure_ascii=False) for line in [header, *_told(header, journal)])
    text = "\n".join(lines) + "\n"
    path.write_bytes(gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode())
    return path


def _told(header: dict[str, Any], journal: Journal) -> Iterator[dict[str, Any]]:
    """The lines after the header."""
    game = restart(header)
    yield {"snapshot": game.snapshot()}
    for number, action in enumerate(journal.actions):
        game.step_one(action)
        name, rewards = game.action_name(action), game.rewards[0].tolist()
        line = {"action": action, "name": name, "rewards": rewards, "snapshot": game.snapshot()}
        yield line | journal.remarks.get(number, {})


def restart(header: dict[str, Any]) -> BatchGame:
    """The game of a header, dealt."""
    game = BatchGame(header["game"], seed=0, num_players=header["num_players"], **header["options"])
    game.reset(options=header["reset"])
    return game


def load(path: str | Path) -> Replay:
    """Read a file.

    Raises
    ------
    ReplayError
        If it is no replay; `verify` says whether all in it is true.
    """
    path = Path(path)
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
        # not by splitlines: names may hold any character
        header, start, *decisions = map(json.loads, text.strip().split("\n"))
        games.get(header["game"])
        replay = Replay(
            {"options": {}, "num_players": header["num_players"], "reset": header["reset"]} | header,
            start["snapshot"],
            decisions,
        )
        for decision in decisions:
            if not {"action", "name", "rewards", "snapshot"} <= decision.keys():
                raise KeyError("a decision has action, name, rewards and snapshot")
    except FileNotFoundError:
        raise ReplayError(f"there is no file {path}.") from None
    except (OSError, EOFError, KeyError, TypeError, ValueError) as error:
        raise ReplayError(f"{path} is no replay: {error}.") from error
    return replay


def verify(replay: Replay) -> None:
    """Play it again, and compare all that it says.

    Raises
    ------
    ReplayError
        If the game goes otherwise: names the line and what differs.
    """
    line = 1
    try:
        game = restart(replay.header)
        _compare(2, "snapshot", replay.start, game.snapshot())
        for line, decision in enumerate(replay.decisions, 3):
            action = game.action_index(decision["name"])
            _compare(line, "action", decision["action"], action)
            game.step([action])
            rewards = game.rewards[0].tolist()
            if len(rewards) != len(decision["rewards"]) or any(
                abs(a - b) > REWARD_TOLERANCE for a, b in zip(rewards, decision["rewards"], strict=True)
            ):
                raise ReplayError(f"line {line}: rewards are {decision['rewards']}, and should be {rewards}.")
            _compare(line, "snapshot", decision["snapshot"], game.snapshot())
    except ReplayError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise ReplayError(f"line {line}: {error}") from error


def _compare(line: int, what: str, told: Any, true: Any) -> None:
    if told == true:
        return
    if isinstance(told, dict) and isinstance(true, dict):
        key = next(key for key in {**true, **told} if told.get(key) != true.get(key))
        what, told, true = f"{what}.{key}", told.get(key), true.get(key)
    raise ReplayError(f"line {line}: {what} is {told!r}, and should be {true!r}.")

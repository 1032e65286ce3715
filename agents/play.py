"""A person at the terminal among agents: `python -m agents.play game=twice_the_fun opponents=[expert,baseline]`.

The person sees what its seat may know. A game can be left and taken up again: its file holds the key of its shuffles
and all actions, from which everything is played anew.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from omegaconf import DictConfig
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import agents
from agents.human import legal_actions, match, no_such, numbered
from agents.protocol import Agent, AgentError
from agents.seats import choose_actions, thoughts
from cardenvs import BatchGame, baselines, games, replay
from cardenvs.core.errors import OptionError, choose, require_int
from cardenvs.core.portrayal import action_in_words
from cardenvs.core.rng import seed_keys
from cardenvs.engine.batch import fresh_seed
from cardenvs.games.rulebook import rules_of
from cardenvs.render.journal import Journal
from cardenvs.render.text import to_rich
from cardenvs.render.views import view_of
from training.cli import as_list, command, game_options, make_console, write_json

HUMAN = "human"
VERBS = ("help", "hint", "undo", "save", "replay", "rule", "quit")
HELP = """Type the number or the name of an action, or
  hint          what the baseline, or the expert where there is none, would do
  undo          back to your decision before
  save          keep the game, to go on another time
  replay        keep what has happened as a replay
  rule TTF-12   what a rule says
  quit          keep the game and leave"""


@dataclass
class Saved:
    """A game as it is kept: all that is needed to play it anew. `agents` are by seat, one of them ``"human"``."""

    game: str
    num_players: int
    options: dict[str, Any]
    agents: list[str]
    key: int
    dealer: int
    actions: list[str] = field(default_factory=list)

    @property
    def seat(self) -> int:
        return self.agents.index(HUMAN)


class Session:
    """A game under way. `shown` counts the decisions that the person has been told of, −1 if not even of the deal."""

    def __init__(self, saved: Saved, console: Console) -> None:
        self.saved, self.console = saved, console
        self.players = [load(name, saved) for name in saved.agents]
        self.adviser = adviser_of(saved)
        self.restart()
        self.shown = len(saved.actions) or -1

    def restart(self) -> None:
        """The game as the saved actions leave it."""
        saved, key = self.saved, np.array([self.saved.key], np.uint64)
        self.table = BatchGame(saved.game, seed=key, num_players=saved.num_players, **saved.options)
        self.journal = Journal(self.table)
        self.table.reset(seed=key, options={"dealer": saved.dealer})
        self.actors: list[int] = []
        for name in saved.actions:
            self.take(self.table.action_index(name))

    def take(self, action: int) -> None:
        self.actors.append(int(self.table.actor[0]))
        self.table.step([action])

    def act(self, action: int) -> None:
        """A new decision, kept as well."""
        self.saved.actions.append(self.table.action_name(action))
        self.take(action)

    @property
    def is_over(self) -> bool:
        return bool(self.table.actor[0] < 0)

    @property
    def is_asked(self) -> bool:
        return bool(self.table.actor[0] == self.saved.seat)

    def let_others_act(self) -> None:
        """Agents play until the person is asked, or all is over."""
        while not (self.is_over or self.is_asked):
            self.journal.remark(**thoughts(self.table, self.players[int(self.table.actor[0])]))
            self.act(int(choose_actions(self.table, self.players)[0]))

    def show(self) -> None:
        """What has happened since, and the table as it is now."""
        for event in self.journal.since(self.shown, self.saved.seat):
            self.console.print(f"  {escape(event.text)} [dim]({event.rule})[/]", highlight=False)
        self.shown = len(self.saved.actions)
        names = ["you" if name == HUMAN else name for name in self.saved.agents]
        view = view_of(self.table.game, self.table.snapshot(), self.saved.seat, (), names)
        self.console.print(to_rich(self.table.game, view | {"legal": []}, self.console.width))

    def advice(self) -> str:
        """What the adviser would do, as people call it."""
        best = int(choose_actions(self.table, [self.adviser] * self.table.num_players)[0])
        return action_in_words(self.table.action_name(best), self.journal.position)

    def undo(self) -> bool:
        """Back to the person's decision before; False if there is none."""
        own = [number for number, actor in enumerate(self.actors) if actor == self.saved.seat]
        if not own:
            return False
        del self.saved.actions[own[-1] :]
        self.restart()
        self.shown = len(self.saved.actions)
        return True


def load(name: str, saved: Saved) -> Agent:
    return agents.load(name, saved.game, saved.num_players, saved.options)


def adviser_of(saved: Saved) -> Agent:
    """Who gives hints: the baseline, or the strongest scripted policy where there is none."""
    try:
        return load(baselines.NAME, saved)
    except AgentError:
        return load(games.get(saved.game).policies[-1], saved)


# --- talking ----------------------------------------------------------------------------------------------------------


def play(session: Session, output: Path, ask: Callable[[str], str]) -> bool:
    """Play a game to its end with what `ask` answers; False if the person leaves before."""
    session.console.print("Type help for what else you can say.")
    while True:
        session.let_others_act()
        session.show()
        if session.is_over:
            return True
        if not decide(session, output, ask):
            return False


def decide(session: Session, output: Path, ask: Callable[[str], str]) -> bool:
    """Talk until the person has decided; False if it leaves."""
    legal = legal_actions(session.table)
    session.console.print(numbered(legal), markup=False, highlight=False)
    while True:
        typed = ask("> ").strip()
        if (chosen := match(typed, legal)) is not None:
            session.act(chosen)
            return True
        verb, _, rest = typed.partition(" ")
        if verb == "quit":
            return False
        if verb == "undo" and session.undo():
            session.console.print("Back to where you were asked before.")
            return True
        session.console.print(answer(session, output, verb, rest, legal), highlight=False)


def answer(session: Session, output: Path, verb: str, rest: str, legal: Mapping[str, int]) -> Any:
    """What is said to something that is no action."""
    if verb == "hint":
        return hint(session)
    if verb == "rule":
        return rule(session.saved.game, rest.strip().upper())
    if verb == "save":
        return f"Kept: go on with python -m agents.play resume={save(session, output)}"
    if verb == "replay":
        return f"Written to {save_replay(session, output)}"
    if verb == "help":
        return HELP
    if verb == "undo":
        return "There is nothing to take back."
    return escape(no_such(f"{verb} {rest}", legal, VERBS))


def hint(session: Session) -> Any:
    """What the adviser would do, with its probabilities where it has some."""
    adviser = session.adviser
    chances = thoughts(session.table, adviser).get("probabilities")
    if chances is None:
        return f"{adviser.name} would choose {session.advice()}"
    session.journal.remark(probabilities=chances)
    grid = Table.grid(padding=(0, 2))
    for action, chance in sorted(chances.items(), key=lambda pair: -pair[1]):
        name = action_in_words(action, session.journal.position)
        grid.add_row(f"  {adviser.name}", name, f"{chance:6.1%}", "█" * round(30 * chance))
    return grid


def rule(game: str, number: str) -> str:
    """A rule's own words."""
    book = rules_of(game)
    try:
        return f"{number}: {escape(book[choose('rule', number, book)])}"
    except OptionError as error:
        return escape(str(error))


def save(session: Session, output: Path) -> Path:
    path = output / f"{session.saved.game}.json"
    write_json(path, asdict(session.saved))
    return path


def save_replay(session: Session, output: Path) -> Path:
    saved = session.saved
    return replay.save(output / f"{saved.game}.jsonl", session.journal, saved.agents)


# --- the command ------------------------------------------------------------------------------------------------------


def new_game(config: DictConfig, seed: int) -> Saved:
    """A game that has not begun, by the command's keys."""
    game = games.get(config.game.name)
    others = as_list(config.opponents)
    if isinstance(config.opponents, str):
        others *= config.game.num_players - 1
    num_players = 1 + len(others)
    options = {"episode": "match" if "match" in game.max_decisions else "round"} | game_options(config)
    rng = np.random.default_rng(seed)
    drawn = config.seat == "random"
    seat = int(rng.integers(num_players)) if drawn else require_int("seat", config.seat, 0, num_players - 1)
    seats = [HUMAN, *others]
    names = [seats[(place - seat) % num_players] for place in range(num_players)]
    return Saved(game.name, num_players, options, names, int(seed_keys(seed, 1)[0]), int(rng.integers(num_players)))


def read(path: Path) -> Saved:
    """A game that was kept.

    Raises
    ------
    AgentError
        If the file is none.
    """
    try:
        kept: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        saved = Saved(**kept)
        if HUMAN not in saved.agents:
            raise ValueError("nobody in it is human")
    except FileNotFoundError:
        raise AgentError(f"there is no saved game {path}.") from None
    except (OSError, TypeError, ValueError) as error:
        raise AgentError(f"{path} is no saved game: {error}.") from error
    return saved


@command("play", kept="Nothing is lost: the game is kept in {output}.")
def main(config: DictConfig) -> None:
    console, output = make_console(), Path(config.output)
    saved = read(Path(config.resume)) if config.resume else None
    seed = fresh_seed() if config.seed is None else config.seed
    won = played = 0
    try:
        while True:
            session = Session(saved or new_game(config, seed + played), console)
            saved = None
            if not play(session, output, console.input):
                raise KeyboardInterrupt
            played += 1
            won += int(session.table.winners[0, session.saved.seat])
            console.print(f"You have won {won} of {played}. The replay is in {save_replay(session, output)}")
            if not console.input("Another game? (y/n) ").strip().lower().startswith("y"):
                return
    except (KeyboardInterrupt, EOFError):
        console.print(f"\nGo on with python -m agents.play resume={save(session, output)}")


if __name__ == "__main__":
    main()

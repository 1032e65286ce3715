"""The pictures, the video and the replays of the docs: `python -m docs.pictures` makes them anew."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import gymnasium
from PIL import Image

import cardenvs  # noqa: F401 - registers
from cardenvs import BatchGame, games, replay
from cardenvs.render.journal import Journal
from cardenvs.render.picture import to_array
from cardenvs.render.views import view_of

DOCS = Path(__file__).resolve().parent
IMAGES, REPLAYS = DOCS / "images", DOCS / "replays"
PALETTE = 128  # colors of a picture, so that it stays small
EVENTS = 40


class Shown(NamedTuple):
    """A moment: of a game of scripted players, the first decision in `phase` after so many decisions."""

    game: str
    num_players: int
    seed: int
    decisions: int
    phase: str | None
    viewer: int | None
    episode: str = "round"


PICTURES = {
    "uno_all_wild_4p": Shown("uno_all_wild", 4, 3, 14, "play", 0, "match"),
    "uno_all_wild_10p": Shown("uno_all_wild", 10, 3, 20, "target", None),
    "twice_the_fun_2p": Shown("twice_the_fun", 2, 5, 9, "play", 0),
    "twice_the_fun_4p": Shown("twice_the_fun", 4, 8, 12, "react", None),
    "twice_the_fun_10p": Shown("twice_the_fun", 10, 5, 20, "react", None),
    "twits_2p": Shown("twits", 2, 4, 22, "bank", 1),
    "twits_4p": Shown("twits", 4, 3, 40, "pass", 1),
    "wild_twists_2p": Shown("wild_twists", 2, 9, 20, "war", 0),
}
VIDEO = ("cardenvs/Twits-v0", {"num_players": 3, "opponents": ["expert", "greedy"], "seat": 0}, 2)
REPLAYED = {
    "uno_all_wild": (4, 3),
    "twice_the_fun": (4, 8),
    "twits": (3, 4),
    "wild_twists": (2, 334),
}


def play(journal: Journal) -> Iterator[None]:
    """A game of the strongest scripted players, a decision at a time; they stay in their journal."""
    game = journal.games
    policy = game.game.policies[-1]
    while game.actor[0] >= 0:
        yield
        game.step(game.advise(policy))


def picture(shown: Shown) -> Any:
    """uint8 (height, width, 3) of a moment."""
    game = BatchGame(shown.game, seed=shown.seed, num_players=shown.num_players, episode=shown.episode)
    journal = Journal(game)
    for decisions, _ in enumerate(play(journal)):
        if decisions >= shown.decisions and journal.position["phase"] == shown.phase:
            break
    else:
        raise ValueError(f"{shown} has no such moment.")
    return to_array(game.game, view_of(game.game, journal.position, shown.viewer, journal.events(shown.viewer, EVENTS)))


def record_video(folder: str) -> None:
    """A whole game of a learner that takes the first legal action."""
    env_id, options, seed = VIDEO
    env = gymnasium.wrappers.RecordVideo(
        gymnasium.make(env_id, render_mode="rgb_array", **options),
        folder,
        episode_trigger=lambda episode: True,
        disable_logger=True,
    )
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        *_, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        over = terminated or truncated
    env.close()


def main() -> None:
    for name, shown in PICTURES.items():
        Image.fromarray(picture(shown)).quantize(PALETTE).save(IMAGES / f"table_{name}.png", optimize=True)
    with TemporaryDirectory() as folder:
        record_video(f"{folder}/videos")
        shutil.move(next(Path(folder).rglob("*.mp4")), IMAGES / "twits.mp4")
    for name, (num_players, seed) in REPLAYED.items():
        journal = Journal(BatchGame(name, seed=seed, num_players=num_players))
        for _ in play(journal):
            pass
        policy = games.get(name).policies[-1]
        replay.save(REPLAYS / f"{name}.jsonl.gz", journal, [policy] * num_players)


if __name__ == "__main__":
    main()

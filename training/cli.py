"""What all commands share."""

import errno
import functools
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf
from rich.console import Console

DISK_REFUSES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES}
CONFIGS = str(Path(__file__).resolve().parents[1] / "configs")


def make_console() -> Console:
    """The terminal; 120 columns where output goes to a file."""
    return Console(soft_wrap=True, width=None if sys.stdout.isatty() else 120)


def game_options(config: DictConfig) -> dict[str, Any]:
    """The options of a config's game, as keyword arguments."""
    options: Any = OmegaConf.to_object(config.game.options)
    return dict(options or {})


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file beside its place and move it there when it is whole."""
    unfinished = path.with_name(f".{path.name}.unfinished{path.suffix}")
    try:
        write(unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def write_json(path: Path, data: Any) -> None:
    """Results, in a folder that is made if need be; whole, or as they were."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_whole(path, lambda unfinished: unfinished.write_text(text, encoding="utf-8"))


def recall_or_play(path: Path, asked: dict[str, Any], play: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What `path` holds of what is asked, or what `play` says of it, which it holds from then on."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    for each in kept:
        if asked.items() <= each.items():
            return dict(each)
    played = asked | play()
    write_json(path, [*kept, played])
    return played


def plain_errors(command: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Mistakes of the user, and disks that refuse, end a command with one line and exit code 2, not a traceback."""

    @functools.wraps(command)
    def run(config: Any) -> Any:
        try:
            return command(config)
        except (ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in DISK_REFUSES:
                raise
            sys.exit(_with_code_2(f"{type(error).__name__}: {error}"))

    return run


def _with_code_2(text: str) -> int:
    print(text, file=sys.stderr)
    return 2

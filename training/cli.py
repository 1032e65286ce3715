"""What all commands share."""

import errno
import functools
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hydra
from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import MissingMandatoryValue, OmegaConfBaseException
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from cardenvs.core.errors import OptionError, did_you_mean

CLOSED = ("", "algorithm.", "league.", "imitation.")  # where there are no other keys than those of the config
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


def command(name: str, kept: str) -> Callable[[Callable[[DictConfig], Any]], Callable[[], None]]:
    """Make a function of a config the command of `configs/<name>.yaml`.

    Mistakes of the user, and disks that refuse, end it with one line that names the nearest that there is, and exit
    code 2; Ctrl-C with exit code 130 and `kept`, which says what is not lost, with the keys of the config in braces.
    """

    def decorate(main: Callable[[DictConfig], Any]) -> Callable[[], None]:
        @functools.wraps(main)
        def run(config: DictConfig) -> Any:
            try:
                check_types(plain(config), compose_defaults(name))
                return main(config)
            except KeyboardInterrupt:
                sys.exit(_with_code(130, f"Stopped. {kept.format_map(where(config))}"))
            except OmegaConfBaseException as error:
                sys.exit(_with_code(2, explain(name, error)))
            except (ValueError, OSError) as error:
                if isinstance(error, OSError) and error.errno not in DISK_REFUSES:
                    raise
                sys.exit(_with_code(2, f"{type(error).__name__}: {error}"))

        hydrated = hydra.main(version_base=None, config_path=CONFIGS, config_name=name)(run)

        @functools.wraps(main)
        def entry() -> None:
            if {"--help", "-h"} & set(sys.argv[1:]):
                print(help_text(name, str(sys.modules[main.__module__].__doc__)))
                return
            dashed = [word for word in sys.argv[1:] if re.match(r"--[\w.]+=", word)]
            if dashed:
                sys.exit(_with_code(2, f"{dashed[0]!r} is not understood: keys have no dashes, {dashed[0][2:]}"))
            os.environ["HYDRA_FULL_ERROR"] = "1"  # it raises what it would else print with its own stack
            compose_defaults(name)  # which cannot be done any more once Hydra is at work
            try:
                hydrated()
            except (HydraException, OmegaConfBaseException) as error:
                sys.exit(_with_code(2, explain(name, error)))

        return entry

    return decorate


def where(config: DictConfig) -> dict[Any, Any]:
    """The keys of a config, with the folder that it really writes to."""
    return plain(config) | {"output": config.get("resume") or config.output}


# --- what is wrong on a command line, in one line ---------------------------------------------------------------------


def explain(name: str, error: Exception) -> str:
    """What Hydra found wrong, with the nearest that there is."""
    if isinstance(error, MissingConfigException) and error.missing_cfg_file:
        group, _, wrong = str(error.missing_cfg_file).removesuffix(".yaml").rpartition("/")
        return unknown(f"{group}:", wrong, error.options or ())
    if isinstance(error, OverrideParseException):
        return f"{error.override!r} is not understood: write key=value, in quotes if the value has spaces or brackets."
    if found := re.search(r"Could not override '([^']+)'", str(error)):
        return unknown_key(found[1].lstrip("+~"), compose_defaults(name))
    if isinstance(error, MissingMandatoryValue):
        return f"{error.full_key} is missing: give it as {error.full_key}=…"
    return one_line(error)


def one_line(error: Exception) -> str:
    """What is wrong, without a break."""
    return " ".join(str(error).split())


def unknown(what: str, wrong: str, names: Iterable[str]) -> str:
    """That there is no such name, and the nearest of those that there are."""
    names = sorted(names)
    return f"{what} {wrong!r} is unknown: there are {', '.join(names)}.{did_you_mean(wrong, names)}"


def unknown_key(wrong: str, defaults: dict[Any, Any], prefix: str = "") -> str:
    """That there is no such key, and those that there are in its place; the defaults are those below `prefix`."""
    keys = [f"{prefix}{key}" for key in keys_of(defaults)]
    place = wrong.rpartition(".")[0]
    if place not in keys:
        return unknown("key", wrong, (key for key in {*keys, *groups()} if "." not in key))
    return unknown("key", wrong, (key for key in keys if key.rpartition(".")[0] == place))


@functools.cache
def compose_defaults(name: str) -> dict[Any, Any]:
    """The config of a command, as plain data, as it is with nothing on the command line."""
    with hydra.initialize_config_dir(CONFIGS, version_base=None):
        return plain(hydra.compose(name))


def plain(config: DictConfig) -> dict[Any, Any]:
    """A config as plain data, with nothing looked up."""
    data = OmegaConf.to_container(config)
    assert isinstance(data, dict)
    return data


def leaves(config: Mapping[Any, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of nested configs, with its keys, joined by dots."""
    for key, value in config.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def keys_of(config: dict[Any, Any], prefix: str = "") -> list[str]:
    """All keys, with dots; those of nested configs too."""
    found = []
    for key, value in config.items():
        found.append(f"{prefix}{key}")
        if isinstance(value, dict):
            found += keys_of(value, f"{prefix}{key}.")
    return found


def groups() -> list[str]:
    """The groups of configs to choose from, such as `game`."""
    return sorted(path.name for path in Path(CONFIGS).iterdir() if path.is_dir())


def check_types(config: dict[Any, Any], defaults: dict[Any, Any], prefix: str = "") -> None:
    """Refuse what is no number where one is meant, and no truth value where one is."""
    for key, value in config.items():
        default = defaults.get(key)
        if key not in defaults and prefix in CLOSED:
            raise OptionError(unknown_key(f"{prefix}{key}", defaults, prefix))
        if isinstance(value, dict) and isinstance(default, dict):
            check_types(value, default, f"{prefix}{key}.")
        elif isinstance(default, bool) and not isinstance(value, bool):
            raise OptionError(f"{prefix}{key} is {value!r}: it must be true or false.")
        elif type(default) is int and type(value) is not int:
            raise OptionError(f"{prefix}{key} is {value!r}: it must be a whole number, as {default:_}.")
        elif is_numbers(default) and not is_numbers(value):
            raise OptionError(f"{prefix}{key} is {value!r}: it must be whole numbers, as {default}.")
        elif key == "output" and not isinstance(value, str):
            raise OptionError(f"{prefix}{key} is {value!r}: it must be the name of a folder.")
        elif type(default) is float and type(value) not in (int, float):
            raise OptionError(f"{prefix}{key} is {value!r}: it must be a number, as {default}.")


def is_numbers(value: Any) -> bool:
    """Whether it is a list of whole numbers."""
    return isinstance(value, list) and bool(value) and all(type(each) is int for each in value)


def as_list(value: Any) -> list[Any]:
    """A list of a config, or what stands alone in place of one."""
    data: Any = OmegaConf.to_object(value) if OmegaConf.is_list(value) else [value]
    return list(data)


def help_text(name: str, purpose: str) -> str:
    """What a command does, its keys with their defaults and remarks, and what there is to choose from."""
    keys = (Path(CONFIGS) / f"{name}.yaml").read_text(encoding="utf-8")
    shown = re.sub(r"^(hydra:|defaults:)\n(?:[ ].*\n?)*", "", keys, flags=re.MULTILINE).strip()
    trains = re.search("^  - algorithm:|^  - train$", keys, re.MULTILINE)
    used = groups() if trains else ["game"]
    choices = [
        f"  {group}: {', '.join(sorted(path.stem for path in (Path(CONFIGS) / group).iterdir()))}" for group in used
    ]
    lines = [
        purpose.strip(),
        "",
        "Keys, with their defaults:",
        "",
        *(f"  {line}".rstrip() for line in shown.splitlines()),
    ]
    lines += ["", "To choose from, as group=name (an experiment as +experiment=name):", *choices]
    return "\n".join([*lines, "", "--cfg job shows the config that results; --hydra-help what Hydra can do besides."])


# --- progress ---------------------------------------------------------------------------------------------------------


@contextmanager
def progress(console: Console, total: float, unit: str, shown: bool = True) -> Iterator[Callable[[float], None]]:
    """A bar with the rate and the time left, where a person is watching; what it gives takes how much more is done."""
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TextColumn("{task.fields[rate]:>9,.0f}/s"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    began = time.perf_counter()
    with Progress(*columns, console=console, transient=True, disable=not (shown and console.is_terminal)) as bar:
        task = bar.add_task("", total=total, rate=0.0)

        def advance(more: float) -> None:
            done = bar.tasks[0].completed + more
            bar.update(task, completed=done, rate=done / (time.perf_counter() - began))

        yield advance


def _with_code(code: int, text: str) -> int:
    print(text, file=sys.stderr)
    return code

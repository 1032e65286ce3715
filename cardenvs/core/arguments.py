"""Command lines that are no Hydra applications: mistakes end in one line that names the nearest there is, as there."""

import argparse
import re
import sys
from collections.abc import Callable
from typing import NoReturn

from cardenvs.core.errors import did_you_mean


class Arguments(argparse.ArgumentParser):
    """Options are taken by their whole names, so that what a script says means the same when there are more of them."""

    def __init__(self, prog: str, description: str | None) -> None:
        form = argparse.RawDescriptionHelpFormatter
        super().__init__(f"python -m {prog}", description=description, formatter_class=form, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Say what was wrong, without the usage, and end with code 2."""
        hint = ""
        if unknown := re.match(r"unrecognized arguments: (--[\w-]+)", message):
            hint = did_you_mean(unknown[1], self._option_string_actions)
        elif wrong := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
            hint = did_you_mean(wrong[1], re.findall(r"[\w-]+", wrong[2]))
        self.exit(2, f"{self.prog}: {message}.{hint} (--help says more)\n")


def run_main(main: Callable[[], int | None]) -> NoReturn:
    """Run a command to its exit code: 2 with one line for what its user got wrong, 130 for Ctrl-C."""
    try:
        code = main()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        code = 130
    except (ValueError, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        code = 2
    sys.exit(code)

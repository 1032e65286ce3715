"""Environments of their own, for libraries that cannot live beside ours."""

import subprocess
import venv
from collections.abc import Sequence
from pathlib import Path


def python_with(folder: Path, packages: Sequence[str]) -> Path:
    """The interpreter of an environment, which is made with these packages if it is not there.

    Raises
    ------
    subprocess.CalledProcessError
        If they cannot be installed: its `stderr` says why.
    """
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        subprocess.run(install, check=True, capture_output=True, text=True)
    return python.absolute()

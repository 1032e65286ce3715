"""The only place where this package asks Numba to compile.

`njit` is for functions that other compiled functions call; they are compiled with their caller, and no two of
their arguments may overlap. `inlined` is the same for parts of a hot loop. `kernel` is for entry points from Python:
they are kept on disk, in a folder named after a digest of every rules file, so that an edit to any of them is never
answered by yesterday's machine code (Numba itself looks at the caller's file alone).
`CARDENVS_CACHE_DIR` moves that folder; with `NUMBA_DISABLE_JIT=1` everything runs as plain Python.
"""

import errno
import gc
import getpass
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import caching, types
from numba.core import config as numba_config
from numba.core.compiler_lock import global_compiler_lock
from numba.misc.appdirs import AppDirs

from cardenvs.core.lean import KernelCompiler, LeanCompiler

COMPILED: bool = not vars(numba_config)["DISABLE_JIT"]
PACKAGE = Path(__file__).resolve().parents[1]
COMPILED_FOLDERS = ("core", "games", "engine")
DIGESTS_KEPT = 4
DIGEST_BYTES = 32

# Nothing compiled here allocates, so nothing needs to count references: left out, they cost as much as the rules.
PLAIN: Any = {"error_model": "numpy", "_nrt": False}
LEAN: Any = PLAIN | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": LeanCompiler}
KERNEL: Any = PLAIN | {"nogil": True, "no_cfunc_wrapper": True, "pipeline_class": KernelCompiler}


def njit(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function once for whatever numbers its callers write: Numba would for each of them."""
    compiled = numba.njit(function, **LEAN, **options)
    if COMPILED:
        compiled.get_call_template = partial(_by_plain_types, compiled.get_call_template)
    return compiled


def _by_plain_types(get_call_template: Callable[..., Any], args: Any, kws: Any) -> Any:
    return get_call_template([types.unliteral(arg) for arg in args], kws)


inlined: Callable[..., Any] = partial(njit, forceinline=True)


def wrapping(function: Callable[..., Any]) -> Any:
    """`njit` for arithmetic modulo 2^64: plain Python warns where compiled code wraps around in silence."""
    return njit(function) if COMPILED else np.errstate(over="ignore")(function)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile an entry point, without the GIL and cached on disk."""
    compiled = numba.njit(function, **KERNEL)
    if COMPILED:
        compiled._cache = _Cache(function)
        compiled._compiler.compile = partial(_compile, compiled._compiler.compile)
    return compiled


def entry_point(compiled: Any, *args: Any) -> Any:
    """The machine code of a kernel for arguments of these types.

    It spares the choice by type, microseconds a call, and trusts its caller: only for arguments whose types are fixed.
    """
    return compiled.compile(tuple(compiled.typeof_pyval(arg) for arg in args)) if COMPILED else compiled


def _compile(compile: Callable[..., Any], *args: Any) -> Any:
    """Compile with straight-line code vectorised too, which Numba leaves out, and say what takes so long.

    Meanwhile garbage is looked for less often, since Numba's is nearly all alive, and nobody else compiles.
    """
    _announce()
    settings: dict[str, Any] = vars(numba_config)
    with global_compiler_lock:
        thresholds, vectorise = gc.get_threshold(), settings["SLP_VECTORIZE"]
        gc.set_threshold(200_000, 50, 50)
        settings["SLP_VECTORIZE"] = 1
        try:
            return compile(*args)
        finally:
            gc.set_threshold(*thresholds)
            settings["SLP_VECTORIZE"] = vectorise


@cache
def sources_digest() -> str:
    """Digest of every source that can end up in compiled code, and of Numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for folder in COMPILED_FOLDERS:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(str(path.relative_to(PACKAGE)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """The folder of this version's compiled code: made if need be, None where nothing can be written."""
    chosen = os.environ.get("CARDENVS_CACHE_DIR")
    default = Path(AppDirs(appname="cardenvs", appauthor=False).user_cache_dir)
    for root in (Path(chosen) if chosen else default, _own_temporary_folder()):
        folder = root / f"compiled-{sources_digest()}"
        try:
            if root == _own_temporary_folder():
                _make_private(root)
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            _say(f"cannot write compiled code to {folder} ({error.strerror})")
            continue
        _forget_old_versions(folder)
        return folder
    _say("compiled code will not outlive this process: set CARDENVS_CACHE_DIR to a folder that can be written")
    return None


def _own_temporary_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"cardenvs-{os.getuid() if hasattr(os, 'getuid') else getpass.getuser()}"


def _make_private(folder: Path) -> None:
    """Code is run from here, and among everybody's temporary files somebody else may have been first."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o022):
        raise PermissionError(errno.EPERM, "others can write to it")


def _forget_old_versions(current: Path) -> None:
    """Keep the compiled code of the versions that were used last."""

    def last_used(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:  # another process has just removed it
            return 0.0

    os.utime(current)
    for folder in sorted(current.parent.glob("compiled-" + "[0-9a-f]" * 16), key=last_used)[:-DIGESTS_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def _say(text: str) -> None:
    print(f"cardenvs: {text}", file=sys.stderr, flush=True)


@cache
def _announce() -> None:
    _say("compiling for this machine, 10 to 20 seconds a game, once for each version ...")


class _Locator(caching._CacheLocator):
    def __init__(self, py_file: str) -> None:
        self._py_file = py_file

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_file)

    def get_cache_path(self) -> str:
        return str(cache_folder() or "")

    def ensure_cache_path(self) -> None:
        """It was tried already (`cache_folder`)."""

    def get_source_stamp(self) -> str:
        return hashlib.sha256(Path(self._py_file).read_bytes()).hexdigest()

    def get_disambiguator(self) -> str:
        return sources_digest()


class _CacheImpl(caching.CompileResultCacheImpl):
    _locator_classes: Any = (_Locator,)


class _Files(caching.IndexDataCacheFile):
    """A file for each signature and source, named after both: processes that compile at once never mix up their code.

    Numba numbers the files in an index, and two processes may give two signatures the same number.
    """

    def load(self, key: Any) -> Any:
        """What is kept, or None: then it is compiled, as it is in place of a file that is damaged."""
        try:
            kept = Path(self._data_path(self._name(key))).read_bytes()
        except OSError:
            return None
        digest, code = kept[:DIGEST_BYTES], kept[DIGEST_BYTES:]
        return pickle.loads(code) if hashlib.sha256(code).digest() == digest else None

    def save(self, key: Any, data: Any) -> None:
        code = self._dump(data)
        try:
            with self._open_for_write(self._data_path(self._name(key))) as file:
                file.write(hashlib.sha256(code).digest() + code)
        except OSError as error:
            _say(
                f"compiled code cannot be kept in {self._cache_path} ({error.strerror}): the next process compiles anew"
            )

    def _name(self, key: Any) -> str:
        digest = hashlib.sha256(repr((self._source_stamp, key)).encode()).hexdigest()
        return str(self._data_name(int(digest[:12], 16)))


class _Cache(caching.FunctionCache):
    _impl_class = _CacheImpl

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())
        if cache_folder() is None:
            self.disable()

"""Records fetched before they are used: a large batch fits no near cache, and waiting for memory outlasts the rules."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from cardenvs.core.jit import COMPILED
from cardenvs.core.state import CACHE_LINE

AHEAD = 2  # games: one alone takes less time than memory does
HOT = 1408  # bytes from a record's start, in which most decisions find all that they need; fewer where `known`,
KNOWN_ROWS = 16  # for up to four players, ends before that
BYTE, WORD = ir.IntType(8).as_pointer(), ir.IntType(32)
TO_WRITE, TO_KEEP, DATA = WORD(1), WORD(3), WORD(1)


@intrinsic
def _prefetch(typingctx: Any, record: Any) -> Any:
    """LLVM's `llvm.prefetch` of a record."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [BYTE, WORD, WORD, WORD])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [BYTE], kind)
        start = builder.bitcast(arguments[0], BYTE)
        for at in range(0, hot_bytes(record), CACHE_LINE):
            builder.call(fetch, [builder.gep(start, [WORD(at)]), TO_WRITE, TO_KEEP, DATA])
        return context.get_dummy_value()

    return types.void(record), generate


def hot_bytes(record: Any) -> int:
    """How much of a record, a Numba type, is worth fetching."""
    known = record.fields.get("known")
    needed = known.offset + KNOWN_ROWS * known.type.shape[1] if known else record.size
    return int(min(HOT, needed))


def _nothing(record: Any) -> None:
    """Plain Python has nothing to fetch."""


prefetch: Any = _prefetch if COMPILED else _nothing

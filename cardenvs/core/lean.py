"""Numba compilers for kernels, and for functions that are only called by compiled code.

Numba compiles every function to machine code on its own, with all that it calls, before it compiles the caller with
all of it again: for rules made of many small functions that costs five times what the callers alone do. This compiler
stops at LLVM's intermediate form; what a kernel calls is linked, optimised and turned into machine code with it. There
the functions are the kernel's own, so that LLVM can see that they never raise, and drop what is not called.
"""

from typing import Any

from llvmlite.binding import Linkage
from numba.core import codegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

# Passes for with-blocks, closures, comprehensions, raised exceptions, literal_unroll, inline="always", expressions of
# whole arrays, and the ends of variables' lives, which matter to whoever counts references.
NOT_NEEDED = {
    "WithLifting",
    "InlineClosureLikes",
    "RewriteDynamicRaises",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "InlineOverloads",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "NopythonRewrites",
    "IRLegalization",
}


class _Library(codegen.JITCodeLibrary):
    """Holds a function's intermediate form and, for whoever links it, that of all that it calls."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            for library in dict.fromkeys(self._linking_libraries):
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
                self._reload_init.update(library._reload_init)
        return super()._get_module_for_linking()


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):
    _name = "cardenvs_lean_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_compile = True
        state.flags.noalias = True
        super().run_pass(state)
        state.library.finalize()
        entry: Any = {}.popitem  # Numba knows a function by a builtin of its own; this one refuses to be called
        state.targetctx.insert_user_function(entry, state.cr.fndesc, [state.library])
        state["cr"] = state.cr._replace(cfunc=entry)
        return True


class _KernelLibrary(codegen.JITCodeLibrary):
    """Makes what a kernel calls its own before it is optimised."""

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):
    _name = "cardenvs_kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        changed: bool = super().run_pass(state)
        return changed


def _passes(state: Any, lowering: Any) -> list[Any]:
    """Numba's own passes, but for the last, and for those that look for what is not written here."""
    passes = DefaultPassBuilder.define_nopython_pipeline(state)
    passes.passes = [
        (lowering if step is NativeLowering else step, text)
        for step, text in passes.passes
        if step.__name__ not in NOT_NEEDED
    ]
    passes.finalize()
    return [passes]


class _Flags(Flags):
    """Compared by what has been set alone: Numba compares them all, option by option, at every call that it types."""

    def __hash__(self) -> int:
        return hash(_Flags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and bool(self._values == other._values)


class _Compiler(CompilerBase):
    lowering: Any

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.state.flags = _Flags(self.state.flags)

    def define_pipelines(self) -> list[Any]:
        return _passes(self.state, self.lowering)


class LeanCompiler(_Compiler):
    lowering = _Lowering


class KernelCompiler(_Compiler):
    lowering = _KernelLowering

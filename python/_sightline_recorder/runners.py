"""Modules of the interpreter and of test runners that are told to say more, once they are loaded."""

import importlib.abc
import importlib.machinery
import sys

from . import calls, failures


def watch(recorder):
    patches = {
        "_pytest.assertion.rewrite": lambda module: failures.watch_comparisons(recorder, module),
        "asyncio.base_events": lambda module: calls.watch_tasks(recorder.calls, module),
    }
    for name, patch in patches.items():
        if name in sys.modules:
            patch(sys.modules[name])
    sys.meta_path.insert(0, _PatchingFinder(patches))


class _PatchingFinder(importlib.abc.MetaPathFinder):
    """Lets the usual finders find a module, and patches it right after it has been loaded."""

    def __init__(self, patches):
        self.patches = patches

    def find_spec(self, fullname, path=None, target=None):
        patch = self.patches.get(fullname)
        if patch is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            try:
                patch(module)
            except Exception:
                # A version whose inside looks different: it runs, and only says less.
                pass

        spec.loader.exec_module = exec_module
        return spec

"""Imported by pydevd in every Python process that the program starts, so that it is debugged the same way."""

import os
import sys

import _pydevd_bundle

_here = os.path.dirname(os.path.abspath(__file__))
_debugpy_parent = os.path.abspath(os.path.join(os.path.dirname(_pydevd_bundle.__file__), "..", "..", "..", ".."))

sys.path.insert(0, _debugpy_parent)
try:
    import debugpy._vendored.force_pydevd  # noqa: F401
finally:
    sys.path.remove(_debugpy_parent)

from _pydevd_bundle import pydevd_defaults  # noqa: E402
from _sightline_debuggee import engine, scripts  # noqa: E402

pydevd_defaults.PydevdCustomization.PREIMPORT = "%s;debuggee_child" % _here
engine.install(dies_with_debugger=True)
scripts.name_command_of_child()

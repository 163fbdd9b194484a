"""Runs tests with the runner that this interpreter has, pytest or else unittest, and tells what happens as events."""

import json
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    # As with `python -m pytest` and `python -m unittest`: the folder comes first in which it was started.
    sys.path[0] = os.getcwd()
    # Last, so that nothing of the project is hidden; workers of pytest-xdist take the path over.
    sys.path.append(os.path.join(_HERE, "test_reporters"))
    with open(os.environ["SIGHTLINE_TEST_REQUEST"]) as stream:
        request = json.load(stream)
    if not request.get("coverage"):
        return run(request)
    from _sightline_tests import measurement

    stop = measurement.start(request)
    try:
        return run(request)
    finally:
        stop()


def run(request):
    from importlib.util import find_spec

    if find_spec("pytest") is not None:
        from _sightline_tests import pytest_run

        return pytest_run.run(request)
    from _sightline_tests import unittest_run

    return unittest_run.run(request)


if __name__ == "__main__":
    sys.exit(main())

"""Starts pytest with our plug-in. It is not imported here: pytest wants to load plug-ins itself."""

import pytest


def run(request):
    arguments = ["-p", "_sightline_tests.pytest_plugin", "--continue-on-collection-errors"]
    from importlib.util import find_spec

    if find_spec("pytest_cov") is not None:
        arguments.append("--no-cov")
    # What is measured is this process.
    if request.get("coverage") and find_spec("xdist") is not None:
        arguments.append("-n0")
    if request.get("collect"):
        arguments += ["--collect-only", "-q"]
        if find_spec("xdist") is not None:
            arguments.append("-n0")
    return pytest.main(arguments + list(request.get("args") or []) + list(request.get("files") or []))

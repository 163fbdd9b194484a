"""Measures which lines run, with coverage.py of this interpreter or the one that was brought along."""

import os
import sys


def start(request):
    """Returns what ends the measuring and writes the report."""
    wanted = request["coverage"]
    sys.path.append(wanted["library"])
    import coverage

    measured = coverage.Coverage(data_file=os.path.join(wanted["folder"], ".coverage"))
    # Which test ran a line, told by the name of the test function; a project may have its own way.
    if not measured.get_option("run:dynamic_context"):
        measured.set_option("run:dynamic_context", "test_function")
    measured.start()

    def stop():
        measured.stop()
        try:
            measured.json_report(outfile=os.path.join(wanted["folder"], "coverage.json"), show_contexts=True)
        except coverage.CoverageException as error:
            print(error, file=sys.stderr)

    return stop

"""Answers refactoring requests on standard input, one JSON object per line, until it is closed. Writes nothing to the
project.
"""

import json
import os
import sys


def main():
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Whatever a library prints must not get between the answers.
    sys.stdout = sys.stderr
    from _sightline_refactor.answers import to_wire
    from _sightline_refactor.operations import HANDLERS
    from _sightline_refactor.session import REFUSALS, Refused, Session

    session = Session(sys.argv[1])
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"id": request["id"], "result": to_wire(HANDLERS[request["op"]](session, request["args"]))}
        except Refused as refusal:
            answer = {
                "id": request["id"],
                "refused": {"message": str(refusal), "kind": refusal.kind, "data": to_wire(refusal.data)},
            }
        except REFUSALS as refusal:
            answer = {"id": request["id"], "refused": {"message": str(refusal), "kind": "refused", "data": None}}
        except Exception as error:  # noqa: BLE001 - one bad request must not end the process
            answer = {"id": request["id"], "failed": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(answer) + "\n")
        out.flush()


main()

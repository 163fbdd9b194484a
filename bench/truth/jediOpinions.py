"""Which places jedi takes for a symbol: lines of JSON {symbol, places} in, a list of opinions for each out.

Run with jedi on PYTHONPATH: python jediOpinions.py ROOT
"""

import json
import sys

import jedi

project = jedi.Project(sys.argv[1], smart_sys_path=False, added_sys_path=[sys.argv[1], sys.argv[1] + "/src"])
scripts = {}


def goto(place):
    path, line, column = place
    if path not in scripts:
        scripts[path] = jedi.Script(path=path, project=project)
    try:
        found = scripts[path].goto(line, column - 1, follow_imports=True)
    except Exception:  # jedi has bugs of its own: it says nothing then.
        return set()
    return {(str(each.module_path), each.line, each.column + 1) for each in found if each.line is not None}


for row in sys.stdin:
    asked = json.loads(row)
    own = goto(asked["symbol"]) | {tuple(asked["symbol"])}
    opinions = []
    for place in asked["places"]:
        meant = goto(place) - {tuple(place)}
        opinions.append("unknown" if not meant else "same" if meant & own else "different")
    print(json.dumps(opinions), flush=True)

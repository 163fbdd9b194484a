"""Prints random targets for refactorings of a Python project, as one JSON object: kind -> list of arguments. Seeded; nothing
is said about whether a refactoring of them is possible: a refusal takes its time too.
"""

import ast
import json
import os
import random
import sys


def main(root, count):
    found = {"rename": [], "extract": [], "move": [], "delete": []}
    for base, _folders, names in sorted(os.walk(root)):
        for path in sorted(os.path.join(base, name) for name in names if name.endswith(".py")):
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
            collect(os.path.relpath(path, root), text, found)
    draw = random.Random(14)
    print(json.dumps({kind: draw.sample(list, min(count, len(list))) for kind, list in found.items()}))


def collect(file, text, found):
    lines = text.split("\n")
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and lines[node.lineno - 1].isascii():
            at = {"file": file, "line": node.lineno, "column": lines[node.lineno - 1].index(node.name, node.col_offset + 4) + 1}
            if not node.name.startswith("__"):
                found["rename"].append({**at, "new_name": f"{node.name}_renamed"})
                found["delete"].append(at)
                if node in tree.body and node.name not in ("setup", "main"):
                    found["move"].append({**at, "target_file": file.replace(".py", "_moved.py")})
        elif isinstance(node, ast.Assign) and node.lineno == node.end_lineno and lines[node.lineno - 1].isascii() and node.col_offset:
            value = node.value
            if isinstance(value, (ast.Call, ast.BinOp, ast.Attribute)):
                found["extract"].append(
                    {
                        "file": file,
                        "start_line": value.lineno,
                        "start_column": value.col_offset + 1,
                        "end_line": value.end_lineno,
                        "end_column": value.end_col_offset + 1,
                        "new_name": "extracted_part",
                    }
                )


main(sys.argv[1], int(sys.argv[2]))

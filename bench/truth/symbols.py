"""What a Python project declares, one line of JSON each: python symbols.py ROOT."""

import ast
import json
import pathlib
import sys

SKIPPED = {".venv", "venv", "build", "docs", "examples", "demos", "maint", ".git"}


def main(root):
    for path in sorted(root.rglob("*.py")):
        if SKIPPED & set(path.relative_to(root).parts):
            continue
        text = path.read_text(encoding="utf8")
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        lines = text.split("\n")
        for kind, name, line, column, top in declared(tree, lines):
            place = {"file": str(path), "name": name, "line": line, "column": column, "kind": kind, "top": top}
            print(json.dumps(place))


def declared(tree, lines):
    for node in ast.walk(tree):
        is_class = isinstance(node, ast.ClassDef)
        # What a parameter of a test means is decided by pytest, which the judging engines do not know.
        for each in getattr(node, "body", ()) if isinstance(node, (ast.Module, ast.ClassDef)) else ():
            if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                word = "class " if isinstance(each, ast.ClassDef) else "def "
                at = lines[each.lineno - 1].index(word + each.name) + len(word)
                kind = "class" if word == "class " else "method" if is_class else "function"
                if not each.name.startswith("__") and not any("fixture" in ast.unparse(d) for d in each.decorator_list):
                    yield kind, each.name, each.lineno, at + 1, not is_class
            elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
                target = each.targets[0]
                if not target.id.startswith("__"):
                    yield "field" if is_class else "variable", target.id, target.lineno, target.col_offset + 1, not is_class
        if is_class:
            known = set()
            for each in ast.walk(node):
                if not isinstance(each, ast.Assign):
                    continue
                for target in each.targets:
                    is_own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
                    if is_own and target.value.id == "self" and target.attr not in known and target.lineno == target.end_lineno:
                        known.add(target.attr)
                        yield "field", target.attr, target.lineno, target.end_col_offset - len(target.attr) + 1, False


main(pathlib.Path(sys.argv[1]))

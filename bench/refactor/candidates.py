"""Prints everything in a Python file that a random refactoring could be tried on, as one JSON object."""

import ast
import json
import sys


def place(lines, line, column):
    return {"line": line, "column": len(lines[line - 1].encode()[:column].decode().encode("utf-16-le")) // 2 + 1}


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    lines, tree = text.split("\n"), ast.parse(text)
    found = {"rename": [], "extractVariable": [], "extractMethod": [], "inline": [], "moveSymbol": [], "safeDelete": []}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found["rename"].append({"name": node.id, **place(lines, node.lineno, node.col_offset)})
        elif isinstance(node, ast.arg):
            found["rename"].append({"name": node.arg, **place(lines, node.lineno, node.col_offset)})
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            column = lines[node.lineno - 1].index(node.name, node.col_offset + (3 if isinstance(node, ast.FunctionDef) else 5))
            here = {"name": node.name, **place(lines, node.lineno, column)}
            found["rename"].append(here)
            found["safeDelete"].append(here)
            if isinstance(node, ast.FunctionDef):
                found["inline"].append(here)
        elif isinstance(node, ast.Attribute) and node.lineno == node.end_lineno:
            found["rename"].append({"name": node.attr, **place(lines, node.end_lineno, node.end_col_offset - len(node.attr.encode()))})
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found["inline"].append({"name": node.targets[0].id, **place(lines, node.lineno, node.targets[0].col_offset)})
        if isinstance(node, (ast.BinOp, ast.Call, ast.Attribute, ast.Compare, ast.Subscript)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            found["extractVariable"].append({"start": place(lines, node.lineno, node.col_offset), "end": place(lines, node.end_lineno, node.end_col_offset)})
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and isinstance(node, (ast.FunctionDef, ast.If, ast.For, ast.With, ast.Try)):
                for index in range(len(body)):
                    for last in range(index, min(index + 3, len(body))):
                        found["extractMethod"].append({"start": place(lines, body[index].lineno, body[index].col_offset),
                                                       "end": place(lines, body[last].end_lineno, body[last].end_col_offset)})
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            column = lines[node.lineno - 1].index(node.name, 3 if isinstance(node, ast.FunctionDef) else 5)
            found["moveSymbol"].append({"name": node.name, **place(lines, node.lineno, column)})
    print(json.dumps(found))


main()

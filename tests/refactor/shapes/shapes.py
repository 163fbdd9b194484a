"""Carries out the cases of a text file with the refactoring driver alone and prints what became of each; then what the programs say otherwise.

A case begins with `## name: operation arguments`; `--- path` begins another file than main.py. The selection stands between « and »; the name
that is inlined, moved, renamed or deleted stands behind ‸."""

import contextlib
import io
import os
import re
import runpy
import sys
import tempfile

sys.path[:0] = sys.argv[1:3]
from _sightline_refactor.operations import HANDLERS  # noqa: E402
from _sightline_refactor.session import REFUSALS, Refused, Session  # noqa: E402


def main():
    with open(sys.argv[3], encoding="utf-8") as file:
        cases = re.split(r"(?m)^## ", file.read())[1:]
    different = []
    for case in cases:
        head, text = case.split("\n", 1)
        name, what = head.split(": ")
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.realpath(folder)
            files, marked = laid_out(root, text.strip("\n") + "\n")
            before = said(root)
            result = refactored(root, files, marked, what.split())
            print(f"## {head}\n{result}")
            after = said(root)
            if before != after:
                different.append(f"{name} said\n{before}\nand now\n{after}")
    print("\n".join(different), file=sys.stderr, end="")


def laid_out(root, text):
    parts = re.split(r"(?m)^--- (\S+)\n", text)
    files = dict(zip(parts[1::2], parts[2::2]))
    if parts[0]:
        files = {"main.py": parts[0], **files}
    marked = next(path for path, content in files.items() if re.search("[«‸]", content))
    for path, content in files.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(re.sub("[«»‸]", "", content))
    return files, marked


def refactored(root, files, marked, what):
    text, path = files[marked], os.path.join(root, marked)
    operation, *given = what
    if operation.startswith("extract"):
        start, end = text.index("«"), text.index("»") - 1
        plain = re.sub("[«»]", "", text)
        (line, column), (last, behind) = place(plain, start), place(plain, end)
        args = {"path": path, "what": operation.split("_")[1], "startLine": line, "startColumn": column, "endLine": last, "endColumn": behind, "newName": given[0],
                "scope": next((each for each in given if each in ("module", "class")), None), "all": "all" in given, "keepsTypes": "typed" in given}
        operation = "extract"
    else:
        line, column = place(text, text.index("‸"))
        args = {"path": path, "line": line, "column": column, "name": re.match(r"\w+", text[text.index("‸") + 1:]).group()}
        nobody = {"sure": [], "asked": True, "denied": []}
        args |= {"all": "one" not in given, **nobody} if operation == "inline" else {"newName": given[0], "docs": "comments" in given, **nobody} if operation == "rename" else \
            {"cascade": "cascade" in given} if operation == "safe_delete" else {"targetFile": os.path.join(root, given[0])}
    try:
        answer = HANDLERS[operation](Session(root), args)
    except (Refused, *REFUSALS) as refusal:
        return f"refused: {refusal}\n"
    if answer.conflicts:
        return "".join(f"conflict: {each.message}\n" for each in answer.conflicts)
    shown = []
    # rope finds files in no order.
    for each in sorted(answer.operations, key=lambda each: each.path) if operation == "rename" else answer.operations:
        os.makedirs(os.path.dirname(each.path), exist_ok=True)
        with open(each.path, "w", encoding="utf-8") as file:
            file.write(each.content)
        name = os.path.relpath(each.path, root).replace(os.sep, "/")
        shown.append((f"--- {name}\n" if len(files) > 1 else "") + each.content)
    return "".join(shown)


def place(text, offset):
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def said(root):
    """What main.py prints, and the error it ends with."""
    output, known = io.StringIO(), set(sys.modules)
    sys.path.insert(0, root)
    sys.dont_write_bytecode = True
    try:
        with contextlib.redirect_stdout(output):
            runpy.run_path(os.path.join(root, "main.py"), run_name="__main__")
    except Exception as error:  # noqa: BLE001 - whatever it ends with is what it says
        output.write(f"{type(error).__name__}: {error}\n")
    finally:
        sys.path.remove(root)
        for name in set(sys.modules) - known:
            del sys.modules[name]
    return output.getvalue()


main()

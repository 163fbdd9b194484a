"""The references of every identifier of a project, as jedi sees them: one line of JSON per symbol.

Run with jedi on PYTHONPATH: python jediReferences.py ROOT SOURCE_FOLDER
"""

import json
import keyword
import pathlib
import sys

import jedi
import parso


def main(root: pathlib.Path, sources: pathlib.Path) -> None:
    project = jedi.Project(str(root), smart_sys_path=False, added_sys_path=[str(root)])
    covered = set()
    for path in sorted(sources.rglob("*.py")):
        text = path.read_text(encoding="utf8")
        lines = text.split("\n")
        script = jedi.Script(text, path=str(path), project=project)
        for name in names_of(parso.parse(text)):
            line, column = name.start_pos
            if (str(path), line, column) in covered:
                continue
            failure = None
            try:
                found = script.get_references(line, column, include_builtins=False, scope="project")
            except Exception as error:  # jedi has bugs of its own; they are counted, not hidden.
                found, failure = [], type(error).__name__
            places = sorted(
                {
                    (str(ref.module_path), ref.line, ref.column)
                    for ref in found
                    if ref.module_path is not None and ref.line is not None and sources in ref.module_path.parents
                }
            )
            covered.update(places)
            print(
                json.dumps(
                    {
                        "name": name.value,
                        "at": place(lines, str(path), line, column),
                        "references": [wire(item) for item in places],
                        "failure": failure,
                    }
                ),
                flush=True,
            )


texts: dict[str, list[str]] = {}


def wire(item: tuple[str, int, int]) -> list:
    path, line, column = item
    if path not in texts:
        texts[path] = pathlib.Path(path).read_text(encoding="utf8").split("\n")
    return place(texts[path], path, line, column)


def place(lines: list[str], path: str, line: int, column: int) -> list:
    units = len(lines[line - 1][:column].encode("utf-16-le")) // 2
    return [path, line, units + 1]


def names_of(node):
    if node.type == "name":
        if not keyword.iskeyword(node.value):
            yield node
    for child in getattr(node, "children", []):
        yield from names_of(child)


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())

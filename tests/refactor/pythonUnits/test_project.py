"""What is read once and kept between questions is what is there now."""

import ast as standard
import os

from _sightline_refactor.operations import HANDLERS
from _sightline_refactor.project import names, texts, trees
from _sightline_refactor.session import Session

PROGRAM = "import os\n\n\nclass A:\n    def f(self, x=os.sep):\n        return [y for y in x]\n"


def test_a_text_is_parsed_once():
    assert trees.parse(PROGRAM) is trees.parse(PROGRAM)
    assert trees.fresh(PROGRAM) is not trees.parse(PROGRAM)


def test_a_walk_meets_what_the_standard_one_meets_in_its_order():
    tree = trees.parse(PROGRAM)
    for _again in range(2):
        assert list(trees.walk(tree)) == list(standard.walk(tree))
        assert list(trees.walk(tree.body[1])) == list(standard.walk(tree.body[1]))


def test_what_is_kept_is_bounded(monkeypatch):
    monkeypatch.setattr(trees, "MAX_CHARACTERS", 30)
    first = trees.parse("first = 1\n")
    assert trees.parse("first = 1\n") is first
    for name in ("second", "third", "fourth"):
        trees.parse(f"{name} = 1\n")
    assert trees.parse("first = 1\n") is not first


def test_a_file_is_read_again_once_it_changed(tmp_path):
    path, reads = str(tmp_path / "a.py"), []

    def read():
        reads.append(1)
        return len(reads)

    texts.see({path: 1})
    assert [texts.text(path, "me", read), texts.text(path, "me", read)] == [1, 1]
    texts.see({path: 1})
    assert texts.text(path, "me", read) == 1
    texts.see({path: 2})
    assert texts.text(path, "me", read) == 2
    texts.see({})
    assert [texts.text(path, "me", read), texts.text(path, "me", read)] == [3, 4]


def test_that_a_file_is_missing_is_known_for_one_request_only(tmp_path):
    path = str(tmp_path / "late.py")
    texts.see({})
    assert not texts.exists(path)
    (tmp_path / "late.py").write_text("")
    texts.see({})
    assert texts.exists(path)


def test_a_session_follows_the_disk(tmp_path):
    def modules():
        session.refresh()
        return {os.path.basename(path): text for path, text, _tree in session.parsed("")}

    (tmp_path / "a.py").write_text("x = 1\n")
    session = Session(str(tmp_path))
    assert modules() == {"a.py": "x = 1\n"}
    (tmp_path / "a.py").write_text("x = 22\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "b.py").write_text("x = 22\n")
    (tmp_path / "broken.py").write_text("x = (\n")
    assert modules() == {"a.py": "x = 22\n", "b.py": "x = 22\n"}
    one, other = (tree for _path, _text, tree in session.parsed(""))
    assert one is not other, "modules that say the same are still two"
    (tmp_path / "a.py").unlink()
    assert modules() == {"b.py": "x = 22\n"}


def test_a_check_sees_what_was_just_written(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    session, files = Session(str(tmp_path)), [str(tmp_path / "a.py")]
    assert HANDLERS["check"](session, {"files": files}) == []
    (tmp_path / "a.py").write_text("x = gone\n")
    assert [each.message for each in HANDLERS["check"](session, {"files": files})] == ['"gone" is not defined']


def test_names_are_bound_by_the_scopes_of_the_language():
    module = names.module_of("import os\ndef f(a):\n    b = a\n    return b, os, len, gone\n")
    bound = {use.name: use.binding for use in module.uses}
    assert [bound[name] for name in ("os", "len", "gone")] == ["", "builtin", "unknown"]
    assert bound["a"] == bound["b"] not in ("", "builtin", "unknown")

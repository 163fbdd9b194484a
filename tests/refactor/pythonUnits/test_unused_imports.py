"""What a change leaves unused goes with it; what was unused before, or is named where names are read, stays."""

from _sightline_refactor.project.source import without_unused_imports

BEFORE = "from a import f, g\n\n\ndef one():\n    return f()\n\n\ndef two():\n    return g(%s)\n"
AFTER = "from a import f, g\n\n\ndef two():\n    return g(%s)\n"


def left(argument):
    return without_unused_imports(BEFORE % argument, AFTER % argument).split("\n")[0]


def test_a_sentence_that_has_the_word_does_not_use_the_name():
    assert left("'see a.f for more'") == "from a import g"


def test_a_string_that_can_be_an_annotation_does():
    assert left("'list[f]'") == "from a import f, g"


def test_the_condition_for_type_checkers_goes_with_its_last_import():
    head = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from a import A\n\n\n"
    kept = "def two():\n    return 2\n"
    before = head + "def one(a: 'A'):\n    return a\n\n\n" + kept
    assert without_unused_imports(before, head + kept).strip() == kept.strip()


def test_what_others_take_from_here_stays():
    assert without_unused_imports(BEFORE % "1", AFTER % "1", {"f"}).startswith("from a import f, g")

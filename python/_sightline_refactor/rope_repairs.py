"""Where rope itself is put right, for all that uses it."""

from rope.base import evaluate, fscommands, resources, worder

from .project import texts
from .project import trees as ast
from .project.source import FUNCTIONS, span

BOM = "\ufeff"
_decode = fscommands.file_data_to_unicode
_read = resources.File.read
_found_at = evaluate.ScopeNameFinder.get_primary_and_pyname_at


def repair():
    fscommands.file_data_to_unicode = _without_bom
    resources.File.read = _read_once
    worder._RealFinder._is_id_char = _is_id_char
    evaluate.ScopeNameFinder.get_primary_and_pyname_at = _primary_and_pyname_at


def _without_bom(data, encoding=None):
    """rope takes a byte order mark for part of the text; whoever writes the file keeps it."""
    text, newlines = _decode(data, encoding)
    return text.removeprefix(BOM), newlines


def _read_once(file):
    return texts.text(file.real_path, "rope", lambda: _read(file))


def _is_id_char(finder, offset):
    """rope reads past the end of a text that ends with a name."""
    return offset < len(finder.code) and (finder.code[offset].isalnum() or finder.code[offset] == "_")


def _primary_and_pyname_at(finder, offset):
    """The head of a class or function is read in the scope around it: its name, its bases, and the default values and
    annotations of parameters. rope takes the members of the class for them, and the parameters.
    """
    scope = finder.module_scope.get_inner_scope_for_offset(offset)
    if (
        scope.parent is None
        or scope.get_kind() not in ("Class", "Function")
        or finder.worder.is_function_keyword_parameter(offset)
    ):
        return _found_at(finder, offset)
    text, node = finder.module_scope.pyobject.source_code, scope.pyobject.get_ast()
    if not any(begin <= offset < end for begin, end in _around(text, node)):
        return _found_at(finder, offset)
    name = finder.worder.get_primary_at(offset)
    if finder.worder.is_a_class_or_function_name_in_header(offset) and scope.parent.get_kind() == "Class":
        return None, scope.parent.pyobject[name.strip()]
    return evaluate.eval_str2(scope.parent, name)


def _around(text, node):
    """The parts of the head of a class or function that do not see what is in it."""
    if isinstance(node, ast.ClassDef):
        begin, first = span(text, node)[0], node.body[0]
        return [(begin, span(text, first)[0])]
    if isinstance(node, FUNCTIONS):
        arguments = [
            *node.args.posonlyargs,
            *node.args.args,
            *node.args.kwonlyargs,
            *filter(None, [node.args.vararg, node.args.kwarg]),
        ]
        parts = [
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
            *(a.annotation for a in arguments if a.annotation),
            *filter(None, [node.returns]),
        ]
        return [span(text, each) for each in parts]
    return []

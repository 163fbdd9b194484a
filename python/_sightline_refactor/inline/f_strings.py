"""What can stand inside the braces of an f-string, by the rules that held before Python 3.12."""

import io
import re
import tokenize

from ..project import trees as ast
from ..project.source import edited, span

# Without parentheses the brace or the colon would end the expression, or mean a brace.
HELD_TOGETHER = (ast.Lambda, ast.NamedExpr, ast.Dict, ast.Set, ast.DictComp, ast.SetComp)


def for_f_string(text, offset, source):
    """An expression written so that it can stand at that place of an f-string; None when it cannot."""
    delimiter = _delimiter(text, offset)
    # `{name=}` shows what is written.
    shows_name = re.match(r"[^{}\"':!]*?(?<![=<>])=\s*[!:}]", text[offset:])
    if delimiter is None or shows_name or any(each in source for each in "\\\n#"):
        return None
    value = ast.parse(f"({source}\n)", mode="eval").body
    if delimiter in source:
        source = _requoted(source, delimiter)
    if source is None or delimiter in source:
        return None
    return f"({source})" if isinstance(value, HELD_TOGETHER) and not source.startswith("(") else source


def _delimiter(text, offset):
    """The quotes of the string in which a place lies."""
    line, found = text.count("\n", 0, offset) + 1, None
    at = (line, offset - text.rfind("\n", 0, offset) - 1)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.start > at:
                break
            if token.type == tokenize.STRING or tokenize.tok_name[token.type] == "FSTRING_START":
                found = re.match(r"\w*('''|\"\"\"|'|\")", token.string).group(1)
    except (tokenize.TokenError, SyntaxError):
        return None
    return found


def _requoted(source, delimiter):
    """The expression with its strings in the other kind of quotes."""
    other = "'" if delimiter[0] == '"' else '"'
    edits = []
    for node in ast.walk(ast.parse(source, mode="eval")):
        if isinstance(node, ast.JoinedStr):
            return None
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            begin, finish = span(source, node)
            plain = re.fullmatch(rf"([bBuUrR]*){delimiter[0]}([^'\"]*){delimiter[0]}", source[begin:finish])
            if plain is not None:
                edits.append((begin, finish, f"{plain.group(1)}{other}{plain.group(2)}{other}"))
    return edited(source, edits)

"""What values can be, and what the language's own functions make of them."""

# What a value can be, as a set of bits. Only the exact types of the language count; everything else is an object.
INT, FLOAT, BOOL, STR, NONE, LIST, TUPLE, DICT, OBJECT = (1 << bit for bit in range(9))
ANY = (1 << 9) - 1
NUMBER = INT | FLOAT | BOOL
SCALAR = NUMBER | STR | NONE
STRUCTURED = LIST | TUPLE | DICT | OBJECT
SIZED = STR | LIST | TUPLE | DICT
HEAP = "*"
KINDS = {int: INT, float: FLOAT, bool: BOOL, str: STR, type(None): NONE, list: LIST, tuple: TUPLE, dict: DICT}
# Functions of the language that only look at plain values; what comes back, and whether no error can come of numbers.
FUNCTIONS = {
    "abs": NUMBER,
    "len": INT,
    "min": ANY,
    "max": ANY,
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STR,
    "sum": ANY,
}
FUNCTIONS.update(
    {
        "ord": INT,
        "chr": STR,
        "round": NUMBER,
        "divmod": TUPLE,
        "range": OBJECT,
        "list": LIST,
        "tuple": TUPLE,
        "sorted": LIST,
    }
)
FUNCTIONS.update(
    {"enumerate": OBJECT, "zip": OBJECT, "reversed": OBJECT, "any": BOOL, "all": BOOL, "dict": DICT, "pow": ANY}
)
READING = set(
    "get keys values items index count copy startswith endswith find rfind split strip lstrip rstrip "
    "lower upper join replace isdigit isalpha isalnum isspace".split()
)
MUTATING = set(
    "append appendleft pop popleft popitem extend insert remove clear reverse sort update setdefault add "
    "discard".split()
)

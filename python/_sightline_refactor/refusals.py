"""Every reason not to refactor, or not to do so without force, by name and with its words: no module makes up another.

The reasons of the other languages stand in `src/engine/code/refactor/refusals`."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Reason:
    """Words in which `{name}` is filled in; `kind` tells what is in the way: the code itself, another name, or uses."""

    text: str
    kind: Literal["refused", "conflict", "usage"] = "refused"

    def words(self, **values: object) -> str:
        return self.text.format(**values)


# Any refactoring
NO_SUCH_LINE = Reason("{path} has {count} lines")
DOES_NOT_PARSE = Reason("{path} does not parse: {error} (line {line})")

# Files and imports
LINES_UNCLEAR = Reason("its lines cannot be told apart")
COMMENTS_UNCLEAR = Reason("its comments cannot be told apart")
STUB_FILE_SAYS = Reason('the stub file says "{text}"')

# Loading modules
NO_LONGER_LOADS = Reason("{path} would no longer load {other_path}, which does something as it is loaded (line {line})")
OTHER_LOAD_ORDER = Reason(
    'making "{name}" changes "{other}", which the rest of its module uses as it is loaded: the order would be another'
)

# Rename
MAY_BE_ASKED_FOR = Reason('"{name}" may be asked for by "{text}"')
TOO_OLD_TO_KNOW = Reason('this interpreter is too old to read {path}, and nobody knows what "{name}" is there')
TOO_OLD_AND_ALIASED = Reason(
    "this interpreter is too old to read {path}, and what is renamed is called otherwise there"
)
PRIVATE_NAME_OUTSIDE = Reason('"{text}" names it from outside its class')
BECOMES_PRIVATE = Reason('"{name}" is known only inside {other}, and it is used outside')
BUILT_IN = Reason('"{name}" is built into the language')
NAME_OF_OTHER_PROJECT = Reason(
    '"{name}" belongs to {module}, which is no module of this project; "from {module} import {name} as '
    '{other}" calls it otherwise in one file'
)
NOT_RENAMABLE = Reason('"{name}" is not something that can be renamed here')
INVALID_NAME = Reason('"{name}" is not a valid name')
BELONGS_TO_OUTSIDE_CLASS = Reason('"{name}" belongs to {outside}, a class outside the project')
MEMBER_EXISTS = Reason('"{name}" is a member of {owner} already')
STRING_NAMES_NOTHING = Reason('"{name}" stands in a string there, and is not known to name anything')
NO_USE_IN_STRING = Reason('"{name}" stands in a string there, and no use of a name is known to stand there')
ROPE_TAKES_OTHER = Reason('rope takes the name there for "{other}", not "{name}"')
MODULE_OF_OTHER_PROJECT = Reason(
    '"{name}" is a module from outside this project; "import {name} as ..." calls it otherwise in one file'
)
TYPE_UNKNOWN = Reason('"{text}" may or may not be the one that is renamed: its type is not known')
LANGUAGE_MEANING = Reason('"{name}" has a meaning in the language')
KEYWORDS_UNKNOWN = Reason('the keywords of that call are not known, and "{name}" is a key in that file')
DECLARATION_UNKNOWN = Reason('it is not known what "{name}" is there; give the place where it is declared')
DEFINITION_UNKNOWN = Reason('it is not known where "{name}" is defined')
DECORATOR_MAY_USE_STRING = Reason('"{name}" stands in a string there, and @{shown} may make it known by its name')
KEYWORD_TAKEN_WITH_STARS = Reason('"{name}" is one of the keywords that it takes with **, which that call hands over')
HANDED_ON_WITH_STARS = Reason('"{name}" is handed on from there with **, and may be what is renamed')
TAKEN_FROM_STARS = Reason('"{name}" is taken there from what a caller hands over with **')
NAMED_BY_DECORATOR = Reason('"{name}" is named by a decorator there')
STRING_MAY_NAME_IT = Reason('"{name}" may be what a string names there')
WOULD_MEAN_OTHER = Reason('"{name}" would mean something else there')
DEFINED_ALREADY = Reason('"{name}" is defined in {module} already')
NAMES_SEEN_BY_EVAL = Reason("{name} uses locals(), eval() or exec(), which see the names of variables")
NAME_HAS_MEANING_IN_FILE = Reason('"{name}" has a meaning in that file already')
MAY_OR_MAY_NOT_BE_IT = Reason('"{name}" may or may not be the one that is renamed')

# Names in strings
NAMED_THERE = Reason('"{name}" is named by a {what} there')
FOUND_BY_CLASS_NAME = Reason('"{name}" is found by the name of the class "{other}"')
FOUND_BY_NAME = Reason('"{name}" may be found by its name there: {what}')
F_STRING_SHOWS_NAME = Reason('an f-string shows the name "{name}" on line {line}: it would say "{other}"')
NO_LONGER_RUN = Reason('"{name}" is found by its name: as "{other}" it would not be run as {kind} any more')
WOULD_BE_RUN = Reason('"{name}" is a name by which {kind} is found: it would be run as one')

# Extract
DECORATOR_COMES_FIRST = Reason("a decorator before it is computed first")
BECOMES_ATTRIBUTE = Reason("it would become an attribute of the class")
EMPTY_RANGE = Reason("the range to extract is empty")
TEXT_SHOWN_BY_F_STRING = Reason("the f-string around it shows its text too (=)")
NO_VARIABLE_IN_CLASS = Reason("a variable is made in the function or in the module, not in the class")
VALUE_USED_ELSEWHERE = Reason("elsewhere the value of something like it is used: select that")
IMPORTS_EVERYTHING = Reason(
    "it imports everything from a module, and these names would be known in the new function only"
)
SELECTS_PRIVATE_MEMBER = Reason("the selection uses a private member of the class, which is not seen from outside")
SELECTS_SUPER_OR_LOCALS = Reason(
    "the selection uses super(), __class__ or locals(), which depend on the function around"
)
SELECTS_FRAME_CALL = Reason("the selection uses {function}(), which depends on the function around")
NAME_IN_USE = Reason('"{name}" is in use in this file already', "conflict")
DUPLICATE_NEEDS_OTHERS = Reason("something like it needs other variables, or gives others back")
DUPLICATE_BEFORE_DEFINITION = Reason("something like it is done before the new function is defined")
SELECTS_YIELD = Reason("the selection contains yield, which happens at a time of its own")
SELECTS_WALRUS = Reason("the selection assigns a variable inside an expression (:=)")
MEMBER_IN_FAMILY = Reason('a class above or below {name} has a member "{other}"', "conflict")
READS_NO_MODULE_VARIABLE = Reason('it reads "{name}", which is no variable of the module')
METHOD_WITHOUT_SELF = Reason("the function around it is a method without a first parameter")
METHOD_ASSIGNS_SELF = Reason('the method around it assigns "{name}", which is another object then')
LEAVES_LOOP = Reason("it breaks or continues a loop that is not part of it")
RETURNS_SOMETIMES = Reason("it returns on some ways and goes on behind it on others")
ASSIGNS_NONLOCAL = Reason(
    "it assigns a variable of the function around (nonlocal), which a function of the module does not see"
)
YIELD_CANNOT_BE_HANDED_ON = Reason("it yields, and an async function or a module cannot hand that on")
WALRUS_NEEDED_OUTSIDE = Reason("it assigns a variable inside an expression (:=) that is needed outside")
READS_TARGET = Reason("it reads {what}")
READS_WHAT_STATEMENT_ASSIGNS = Reason('it reads "{name}", which the same statement assigns')
READS_WHAT_PATTERN_ASSIGNS = Reason('it reads "{name}", which the pattern before it assigns')
BECOMES_ENUM_MEMBER = Reason("a variable in the body of an Enum would be one of its members")
VALUE_CHANGES_BETWEEN = Reason("what the value is made of changes between its occurrences")
NOT_WHOLE_EXPRESSION = Reason("the selection is not a whole expression{nearest}")
NOT_WHOLE_STATEMENTS = Reason("the selection is neither one expression nor whole statements of one block{nearest}")
CUTS_CHARACTER = Reason("the selection cuts a character of the string in two")
STRING_MUST_BE_WRITTEN = Reason("the string must be written out there")
CUTS_PLACE_FOR_VALUE = Reason("the selection cuts a place for a value in two")
NO_TEXT_OF_F_STRING = Reason("the selection is no text of the f-string")
GROUPED_FROM_THE_LEFT = Reason("it is added or multiplied from the left now, and the selection would be first")
DELETES_WHAT_IS_USED = Reason('it deletes "{name}", which is used afterwards')
DELETED_AND_LOOKED_AT = Reason('"{name}" is deleted there, and looked at afterwards')
INNER_READS_ASSIGNED_AGAIN = Reason('a function inside reads "{name}", which is assigned again afterwards')
READER_RUNS_INSIDE = Reason(
    '"{name}" is read by "{function}", which is run there, and which would not see its new value'
)
MAY_HAVE_NO_VALUE = Reason('"{name}" may have no value there yet')
ASSIGNED_BY_INNER_FUNCTION = Reason('"{name}" is also assigned by a function inside')
READ_WHERE_ERROR_IS_HANDLED = Reason('"{name}" is read where an error is handled, and would not have its value by then')
COMPUTED_AS_MODULE_LOADS = Reason("it would be computed once, as the module is loaded")
ONE_SHARED_OBJECT = Reason("it is an object of its own, and all would share one")
AFTER_CONDITIONS = Reason("it is computed only if the conditions before it do not hold")
UNDER_CONDITION_ONLY = Reason("it is computed only under a condition, and would be computed always")
WHEN_ASSERTION_FAILS = Reason("it is computed only when the assertion fails, and would be computed always")
IN_COMPREHENSION = Reason("it is part of a comprehension, and would be computed only once")
FOR_SOME_ITEMS = Reason("it is computed only for some items of a comprehension, and would be computed always")
IN_GENERATOR = Reason("it is part of a generator, and would be computed before the generator is used")
IN_LOOP_CONDITION = Reason("it is part of the condition of a loop, and would be computed only once")
WHEN_PATTERN_FITS = Reason("it is computed only when the pattern fits, and would be computed always")
AFTER_WITH = Reason("it is computed after something that `with` does before")
BEFORE_OTHER_CALL = Reason("it comes from a call, and would be computed before another call that comes first now")
AFTER_ASSIGNED_VALUE = Reason("it is computed after the value that is assigned, which comes from a call")
CALL_MAY_CHANGE_WHAT_IT_READS = Reason("a call that comes first now may change what it reads")
IN_LAMBDA = Reason("it is part of a lambda, and would be computed before the lambda is called")
MAY_CHANGE_WHAT_IS_READ = Reason("it may change what is read before it now")
EACH_DOES_SOMETHING = Reason("each computation of it does something, and there would be one only")

# Inline
MODULE_ITSELF = Reason('"{name}" is the module itself on line {line}')
PASSES_STARRED_ARGUMENTS = Reason("the call on {where} passes a list or dictionary of arguments")
TOO_MANY_ARGUMENTS = Reason("the call on {where} has too many arguments")
CALL_TEXT_UNKNOWN = Reason("the call on {where} stands where its text cannot be told")
MEANS_OTHER_AT_CALL = Reason('"{name}" means something else on {where}', "conflict")
USES_PRIVATE_MEMBER = Reason("it uses a private member, which is not seen on {where}")
CALLED_WITHOUT_OBJECT = Reason("the method is called without an object on {where}")
PROPERTY_ITSELF_USED = Reason("the property itself is used on {where}, not its value")
CLASS_OF_CALL_UNKNOWN = Reason("it is not known which class the call on {where} means")
OBJECT_FROM_CALL_LOST = Reason("the object on {where} comes from a call, which would be lost")
KEYWORD_DOES_NOT_FIT = Reason('the call on {where} passes "{keyword}", which does not fit')
ARGUMENT_MEANS_OTHER = Reason(
    'the argument for "{name}" on {where} reads "{other}", which has another meaning in the function', "conflict"
)
LATER_VALUES_SEEN = Reason(
    '"{name}" is used by a function inside, which would see later values of what is passed on {where}'
)
ARGUMENT_OBJECT_PER_USE = Reason(
    'the argument for "{name}" on {where} is an object of its own, and each use would get another one'
)
ARGUMENT_NOT_EVALUATED_ONCE = Reason(
    'the argument for "{name}" on {where} comes from a call, and would not be evaluated once as it is now'
)
ARGUMENT_NOT_PASSED = Reason('the call on {where} does not pass "{name}"')
DEFAULT_IS_COMPUTED = Reason('the default value of "{name}" is computed when the function is defined')
ARGUMENT_IN_F_STRING = Reason('"{name}" is used inside an f-string, where its value on line {line} cannot be written')
ARGUMENT_AT_OTHER_TIME = Reason('the argument for "{name}" on {where} would be evaluated at another time')
CALLED_ON_UNKNOWN_TYPE = Reason('"{name}" is called only on something whose type is not known, on {other}', "conflict")
CALLS_ITSELF = Reason("it calls itself")
ASSIGNS_PARAMETER = Reason("it assigns to a parameter")
NOT_ONLY_CALLED = Reason('"{name}" is used otherwise than by calling it, or in an f-string, on line {line} of {path}')
MEANS_OTHER_IN_FILE = Reason('"{name}" means something else in {path}', "conflict")
READS_TYPE_CHECKING_IMPORT = Reason("it reads what is imported for type checkers only")
IMPORT_UNKNOWN = Reason("it is not known how {path} comes by it")
GENERATOR = Reason("a generator cannot be inlined")
PROPERTY_WITH_SETTER = Reason("it is a property that can be assigned or deleted too")
DECORATORS_LOST = Reason("it has decorators, whose effect would be lost")
NONLOCAL_OR_INNER_GLOBAL = Reason("it has a nonlocal statement, or a global one that is not among its own statements")
USES_SUPER_OR_LOCALS = Reason("it uses super(), __class__ or locals(), which depend on the function around")
TAKES_VARIABLE_PARAMETERS = Reason("it takes variable parameters")
OVERRIDES = Reason("it is overridden, or overrides another")
NAMED_BY_STRING = Reason('"{name}" is named by a string on line {line} of {path}')
IMPORT_EACH_OTHER = Reason("{path} and {other_path} would import each other")
STATEMENTS_BEFORE_IMPORT = Reason("other statements stand before the import on line {line} of {path}")
READS_WHAT_IS_ASSIGNED_LATER = Reason('it reads "{name}", which is assigned while the program runs')
ASYNC_NOT_AWAITED = Reason("it is async, and not awaited where it is called on line {line}")
ASYNC_IN_GENERATOR = Reason("it is async, and called in a generator on line {line}, which is async because of it")
CALLED_IN_F_STRING = Reason("it is called inside an f-string, where its value cannot be written")
SEVERAL_STATEMENTS_IN_EXPRESSION = Reason(
    "the call on line {line} is part of a larger expression, and the function has several statements"
)
OTHER_CODE_AT_CALL = Reason("other code stands on {where}, and the function is no mere value")
KEPT_BY_INNER_FUNCTION = Reason('a function inside it keeps "{name}", of which each call has its own')
RETURNS_INSIDE_WITH = Reason("it returns inside a `with` that may swallow an error")
RETURNS_WHILE_HANDLING = Reason("it returns while it handles errors, and assigning its value may be one")
RETURNS_EARLY = Reason("it returns from more than its last line")
COMPUTED_BEFORE_CALL = Reason(
    "the call on line {line} is part of a larger expression, of which something is computed before it"
)
VARIABLES_BECOME_ATTRIBUTES = Reason("the variables of the function would be attributes of the class on line {line}")
ASSIGNS_GLOBALS = Reason("it assigns variables of its module (global), which are others in another file")
BODY_ON_LINE_OF_HEAD = Reason("its body stands on the line of its head")
USED_AROUND_CALL_TOO = Reason('"{name}" is used both in the function and around the call on line {line}')
ARGUMENT_CANNOT_STAND = Reason(
    'the argument for "{name}" on line {line} cannot stand in its place, and "{name}" is in use there'
)
PARAMETER_IN_F_STRING = Reason("a parameter is used inside an f-string, where its value cannot be written")
ASSIGNED_MORE_THAN_ONCE = Reason('"{name}" is assigned more than once')
ASSIGNMENT_NOT_FOUND = Reason('the assignment of "{name}" was not found')
NO_PLAIN_VALUE = Reason('"{name}" is assigned in {path}; only a plain value is put into other files')
ATTRIBUTE_NOT_CONSTANT = Reason(
    "it is an attribute, and only one that is assigned once, with a plain constant, is inlined, everywhere"
)
HAS_NO_VALUE_OWN = Reason('"{name}" has no value of its own')
USED_BEFORE_ASSIGNED = Reason('"{name}" is used before it is assigned, in a later round of a loop')
ATTRIBUTE_OF_CLASS = Reason("it is an attribute of a class, which can be reached from anywhere")
NAMED_BY_ANNOTATION = Reason('"{name}" is named by a string that is an annotation (line {line})')
NEVER_CALLED = Reason('"{name}" is not called anywhere')
NEVER_USED = Reason('"{name}" is not used anywhere')
USED_IN_OTHER_FILES = Reason('"{name}" is also used in other files, where only a plain value can be put in its place')
ONLY_STATEMENT_OF_BLOCK = Reason("the assignment is the only statement of its block")
USED_ON_UNKNOWN_TYPE = Reason('"{name}" is used in {path} on something whose type is not known')
POINT_AT_USE = Reason("to inline one use, point at that use")
USED_IN_F_STRING = Reason("it is used inside an f-string, where it cannot be replaced safely")
VALUE_IN_F_STRING = Reason("it is used inside an f-string, where its value cannot be written")
MEANS_OTHER_AT_USE = Reason('"{name}" means something else where "{other}" is used (line {line})', "conflict")
ONLY_A_WORD = Reason('"{name}" is only a word there: point at a variable or a function')
PARAMETER_NOT_INLINED = Reason("a parameter is not inlined")
HAS_NO_ASSIGNMENT_OWN = Reason('"{name}" has no assignment of its own')
EVALUATED_MORE_OFTEN = Reason("the value comes from a call or has side effects, and would be evaluated more than once")
OBJECT_PER_USE = Reason("the value is an object of its own, and each use would get another one")
OBJECT_MADE_ANEW = Reason("the value is an object of its own, and would be made anew each time")
FAILS_LATER = Reason("the value is a division, which fails for zero now, and would fail only where it is used")
EVALUATED_AT_OTHER_TIME = Reason(
    "the value comes from a call or has side effects, and would be evaluated at another time"
)
ASSIGNED_BETWEEN = Reason('"{name}" is assigned in between (line {line})')
MEMBER_ASSIGNED_BETWEEN = Reason('".{name}" is assigned in between (line {line})')
ITEM_ASSIGNED_BETWEEN = Reason("an item is assigned in between (line {line})")
CALLED_BETWEEN = Reason("{object}.{method}() is called in between (line {line})")
ERROR_HANDLED_AT_USE = Reason("an error of it would be handled where it is used")
SAME_OBJECT_CHANGED = Reason('"{name}" may be the same object, and is changed in between (line {line})')
CALL_BETWEEN_MAY_CHANGE = Reason("a call in between (line {line}) may change what it reads")

# Move
READS_AS_IT_LOADS = Reason('it reads "{name}" as it is loaded, which its module assigns while the program runs')
ASSIGNS_UNDECLARED = Reason(
    'it assigns "{name}" of its module; once that is declared with its type, as "{name}: int = 0", it can'
    " do so from another one"
)
MODULE_NAME_TAKEN = Reason('it assigns variables of its module, and calls something else "{name}"')
ALIAS_AND_NAMESAKE = Reason('{path} calls it "{alias}", and something else "{name}"')
MEANS_OTHER_WHERE_USED = Reason('"{name}" means something else in {path}, where it is used', "conflict")
INIT_MAKES_PACKAGE = Reason("__init__.py makes its folder a package; move or rename the folder")
FILE_EXISTS = Reason("{path} exists already", "conflict")
NO_PYTHON_ENDING = Reason("the new name must end in .py")
NO_MODULE_NAME = Reason('"{name}" is no name a module can be imported by')
STUB_EXISTS = Reason("{path}i exists already", "conflict")
MODULE_WOULD_BE_HIDDEN = Reason('"{name}" is something else in that package already, which would hide the module')
IMPORT_TAKES_OTHER = Reason("the package has something else of that name, which that import takes")
LEAVES_OFFERING_PACKAGE = Reason('"{name}" is a name that its package offers, which it leaves')
LEAVES_PACKAGE = Reason('"{name}" is a name of its package there, which it leaves')
TARGET_NOT_PYTHON = Reason("the target must be a Python file")
THERE_ALREADY = Reason("it is in that file already")
TARGET_HAS_NAME = Reason('{path} has a "{name}" already', "conflict")
TARGET_NOT_IMPORTABLE = Reason("it is used, and {path} cannot be imported: its name is no name of a module")
ASSIGNED_AGAIN_AS_LOADED = Reason(
    '"{name}" is assigned again as its module is loaded, which those who import it from elsewhere would not see'
)
DEFINED_MORE_THAN_ONCE = Reason('"{name}" is defined more than once')
ASSIGNED_AGAIN = Reason('"{name}" is assigned again, which nobody else would see')
STUB_DESCRIBES_MODULE = Reason("a stub file describes its module")
MODULES_IMPORT_EACH_OTHER = Reason("the two modules would import each other{reads}")
NOT_TOP_LEVEL = Reason('"{name}" is not defined at the top level of its module')
UNDER_CONDITION = Reason(
    '"{name}" is defined under a condition, in the statement on line {line}{why}: what belongs together '
    "is moved by hand"
)
REFERENCED_OTHERWISE = Reason('"{name}" {what} on line {line} of {path}')
MODULE_ADDS_TO_IT = Reason('its module adds to "{name}" as it is loaded, on line {line}: move that along with it')
READS_OF_OWN_MODULE = Reason("it reads {shown}, which would be that of its new module")
GIVEN_OTHER_VALUE = Reason(
    '"{name}" of its module is given another value on line {line} of {path}, which "{user}" would not see any more'
)
MODULE_CANNOT_NAME_IT = Reason('"{name}" is assigned again, and its module cannot speak of {dotted} by that name')
HIDES_STANDARD_MODULE = Reason('"{name}" is a module of the standard library, which it would hide')
MODULE_FOUND_BY_TEXT = Reason('{how} "{text}" there')

# Safe delete
NOT_IN_PROJECT = Reason('"{name}" is not defined in this project')
NOT_DELETABLE = Reason('"{name}" is neither a function, a class nor a variable that can be deleted')
ASSIGNED_WITH_OTHERS = Reason("it is assigned together with others")
VALUE_FROM_CALL = Reason("its value comes from a call, which may have to happen")
STILL_USED = Reason('"{name}" is still used', "usage")
SHARES_ITS_LINE = Reason("other statements stand on the same line")
PARAMETER_NOT_DELETED = Reason('"{name}" is a parameter; parameters are not deleted, because callers pass them')

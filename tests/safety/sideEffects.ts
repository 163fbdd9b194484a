/** Programs whose counter every side effect raises, and expressions that would raise it or change something else; ⏎ is a line end. */
export interface SideEffectProgram {
  file: string;
  /** `//here` stands for one `statement` per expression. */
  source: string;
  statement: string;
  /** What it writes to result.txt at its end when nothing has happened. */
  after: string;
  harmful: readonly string[];
  harmless: readonly string[];
}

const q = '`';
const d = '$';
const expressions = (text: string) =>
  text
    .trim()
    .split(/ ;; |\n/)
    .map((one) => one.replaceAll('⏎', '\n'));

export const sideEffectPrograms: Readonly<Record<'node' | 'python', SideEffectProgram>> = {
  node: {
    file: 'app.js',
    source: `let touched = 0;
const touch = () => ++touched;
class Box {
  get got() { return touch(); }
  set put(value) { touch(); }
  valueOf() { return touch(); }
  toString() { return 'x' + touch(); }
  [Symbol.toPrimitive]() { return touch(); }
  *[Symbol.iterator]() { yield touch(); }
  static [Symbol.hasInstance]() { touch(); return true; }
  static { this.shared = 1; }
}
const box = new Box();
const proxy = new Proxy({}, { get: () => touch(), has: () => touch() > 0, getPrototypeOf: () => (touch(), null) });
const list = [3, 1, 2];
const map = new Map([['a', 1]]);
const data = { a: 1, deep: { b: [1, 2, 3] } };
const re = /x/g;
const steps = [1, 2][Symbol.iterator]();
const bytes = new Int32Array(2);
const set = new Set();
const weak = new WeakMap();
const tag = () => touch();
globalThis.tag = tag;
function run(i) {
  const local = { i, all: () => [touch, touched, Box, box, proxy, list, map, data, tag, re, steps, bytes, set, weak] };
//here
}
for (let i = 0; i < 3; i++) run(i);
try {
  throw new Error('caught');
} catch {}
require('node:fs').writeFileSync('result.txt', [touched, list, map.size, JSON.stringify(data), typeof globalThis.made, re.lastIndex, steps.next().value, bytes, set.size, weak.has(data), Object.isFrozen(data), Object.getOwnPropertyNames(data), process.env.MADE, require('node:fs').existsSync('made.txt')].join(' '));
`,
    statement: '  local.i;',
    after: '0 3,1,2 1 {"a":1,"deep":{"b":[1,2,3]}} undefined 0 1 0,0 0 false false a,deep  false',
    harmful: expressions(String.raw`
touch() ;; touch?.() ;; tag${q}${q} ;; new Box ;; box.got ;; box["got"] ;; box.put = 1 ;; +box ;; ${q}${d}{box}${q} ;; box + 1 ;; box == 1
box < 2 ;; [...box] ;; box instanceof Box ;; ({}) instanceof Box ;; proxy.x ;; "x" in proxy ;; touched++ ;; ++touched
touched = 5 ;; touched += 1 ;; touched ||= 5 ;; list.push(1) ;; list.sort() ;; list.length = 0 ;; list[0] = 9
delete data.a ;; data.deep.b.pop() ;; map.set("b", 2) ;; map.clear() ;; globalThis.made = 1 ;; made = 1 ;; (() => touch())()
(function () { touch(); })() ;; eval("touch()") ;; Function("tag()")() ;; (0, eval)("touched = 9") ;; [1].map(touch)
list.forEach(touch) ;; Reflect.apply(touch, null, []) ;; touch.call() ;; Object.assign(data, { a: 2 }) ;; [touched] = [7]
({ a: touched } = data) ;; (class { static x = touch(); }) ;; 1, touch() ;; i ? touch() : touch()
Object.defineProperty(data, "z", { value: 1 }) ;; JSON.stringify({ toJSON: touch }) ;; String(box) ;; Number(box)
${q}a${d}{touch()}b${q} ;; /* x */ touch() ;; touch /* ( */ () ;; touch⏎() ;; t\u006fuch() ;; x => 1, touch() ;; process.exit(3)
void touch() ;; box ;; proxy ;; [box, { box }] ;; ({ ...proxy }) ;; Object.keys(proxy) ;; Array.from(box) ;; structuredClone(box)
import("data:text/javascript,globalThis.made=1") ;; Promise.resolve().then(touch) ;; new Promise(touch) ;; queueMicrotask(touch)
setTimeout(touch) ;; (async () => touch())() ;; list.reverse() ;; list.fill(0) ;; list.copyWithin(0, 1) ;; list.splice(0)
re.test("x") ;; re.exec("x") ;; "x".replace(re, touch) ;; "x".replace(/x/, touch) ;; steps.next() ;; [...steps] ;; bytes[0] = 1
bytes.fill(1) ;; Atomics.add(bytes, 0, 1) ;; bytes.set([1]) ;; new DataView(bytes.buffer).setInt8(0, 1) ;; set.add(1) ;; weak.set(data, 1)
Object.freeze(data) ;; Object.setPrototypeOf(data, null) ;; data.__proto__ = null ;; data.__defineGetter__("q", touch)
Error.captureStackTrace(data) ;; Error.prepareStackTrace = touch ;; Error.stackTraceLimit = 0 ;; Symbol.prototype.x = 1
console.log(data) ;; process.stdout.write("x") ;; require("fs").writeFileSync("made.txt", "") ;; process.env.MADE = 1 ;; process.chdir("/")
`),
    harmless: expressions(`
i === 1
local.i > 0
data.deep.b.length === 3 && i === 1
typeof i === "number" && list[0] + i === 4
`),
  },
  python: {
    file: 'app.py',
    source: `touched = [0]
def touch(*given):
    touched[0] += 1
    return touched[0]
class Box:
    def __init__(self, quiet=False):
        if not quiet: touch()
    @property
    def got(self): return touch()
    def __getattr__(self, name): return touch()
    def __eq__(self, other): return touch() > 0
    def __hash__(self): return touch()
    def __bool__(self): return touch() > 0
    def __len__(self): return touch()
    def __add__(self, other): return touch()
    def __neg__(self): return touch()
    def __lt__(self, other): return touch() > 0
    def __contains__(self, other): return touch() > 0
    def __iter__(self): return iter([touch()])
    def __getitem__(self, key): return touch()
    def __call__(self): return touch()
    def __format__(self, spec): return str(touch())
    def __repr__(self): return str(touch())
    def __str__(self): return str(touch())
    def __index__(self): return touch()
class Meta(type):
    def __instancecheck__(cls, other): return touch() > 0
class Odd(metaclass=Meta):
    pass
class Sub(dict):
    def __missing__(self, key): return touch()
class Text(str):
    def __eq__(self, other): return touch() > 0
    def __hash__(self): return touch()
import abc, datetime, enum, functools, types, weakref
class Quiet:
    def __or__(self, other): return touch()
    def __rsub__(self, other): return touch()
    def __invert__(self): return touch()
    def __abs__(self): return touch()
    def __round__(self, digits=None): return touch()
    def __reversed__(self): return iter([touch()])
    def __bytes__(self): return bytes([touch()])
    def __complex__(self): return complex(touch())
    def __divmod__(self, other): return touch()
class Given:
    __add__ = functools.partial(touch)
    __neg__ = touch
class Liar:
    @property
    def __class__(self): return touch() and int
class Hooked(abc.ABC):
    @classmethod
    def __subclasshook__(cls, other): return touch() > 0
class Computing(type):
    @property
    def shared(cls): return touch()
    def __getattr__(cls, name): return touch()
    def __repr__(cls): return str(touch())
class Computed(metaclass=Computing):
    shared = 1
class Color(enum.Enum):
    RED = 1
    def __str__(self): return str(touch())
    def __format__(self, spec): return str(touch())
class Chained:
    @classmethod
    @property
    def chained(cls): return touch()
class Keys:
    def keys(self): return [touch()]
class Zone(datetime.tzinfo):
    def utcoffset(self, when): return datetime.timedelta(touch())
    def dst(self, when): return None
class Loud:
    def __repr__(self): return str(touch())
    def __eq__(self, other): return touch() > 0
    def __hash__(self): return hash("x")
    def __len__(self): return touch()
loud = Loud()
quiet = Quiet()
given = Given()
liar = Liar()
computed = Computed()
when = datetime.datetime(2020, 1, 1, tzinfo=Zone())
deep = [[[[[[loud]]]]]]
holder = {"k": loud}
keyed = {loud: 1}
part = functools.partial(touch, loud)
space = types.SimpleNamespace(x=loud)
mapped = types.MappingProxyType(holder)
proxy = weakref.proxy(loud)
error = ValueError(loud)
box = Box(True)
sub = Sub()
text = Text("x")
items = [3, 1, 2]
data = {"a": 1, "deep": {"b": [1, 2, 3]}}
def generate():
    touch()
    yield 1
made = generate()
def run(i):
    local = {"i": i}
//here
for i in range(3):
    run(i)
try:
    raise ValueError()
except ValueError:
    pass
print(touched[0], items, data, "extra" in globals(), file=open("result.txt", "w"))
`,
    statement: '    local["i"]',
    after: "0 [3, 1, 2] {'a': 1, 'deep': {'b': [1, 2, 3]}} False",
    harmful: expressions(String.raw`
box ;; [box, {"a": box}] ;; text ;; sub ;; touch() ;; Box() ;; box.got ;; box.other ;; box == 1 ;; not box ;; box and 1 ;; box or 1 ;; len(box) ;; box + 1 ;; -box
box < 1 ;; 1 in box ;; [*box] ;; box[0] ;; box() ;; f"{box}" ;; f"{box!r}" ;; str(box) ;; repr(box) ;; hash(box) ;; {box: 1}
isinstance(1, Odd) ;; sub["x"] ;; text == "x" ;; {text} ;; list(made) ;; next(made) ;; [x for x in made] ;; sum(made)
any(made) ;; touched.append(1) ;; touched.clear() ;; items.sort() ;; items.pop() ;; data.update(a=2)
data.setdefault("z", 1) ;; data.pop("a") ;; (touched := [5]) ;; (extra := 5) ;; (lambda: touch())()
max([1, 2], key=touch) ;; sorted(items, key=touch) ;; list(map(touch, items)) ;; setattr(box, "x", 1)
globals().update(extra=1) ;; exec("touch()") ;; eval("touch()") ;; __import__("os").getpid()
type("X", (), {"__init__": touch})() ;; "{0.got}".format(box) ;; "%s" % box ;; box if box else 1 ;; items[box] ;; range(box)
data["a"].__class__.__base__.__subclasses__() ;; ｔｏｕｃｈ() ;; touch (  # (⏎) ;; [touch() for _ in [1]] ;; {touch(): 1}
f"{touch()}" ;; quiet | 1 ;; 1 - quiet ;; ~quiet ;; abs(quiet) ;; round(quiet) ;; reversed(quiet) ;; bytes(quiet) ;; complex(quiet)
divmod(quiet, 1) ;; given + 1 ;; -given ;; isinstance(liar, str) ;; isinstance(1, Hooked) ;; isinstance("x", (int, (Odd, float)))
issubclass(Box, Hooked) ;; Computed.shared ;; str(Computed) ;; computed[0] ;; str(Color.RED) ;; f"{Color.RED}" ;; Chained.chained
dict(Keys()) ;; str(when) ;; when == when.replace(tzinfo=None) ;; str(deep) ;; deep == [[[[[[1]]]]]] ;; str(holder.values())
1 in holder.values() ;; keyed["x"] ;; str(part) ;; str(space) ;; str(mapped) ;; str(proxy) ;; not proxy ;; len(proxy) ;; proxy == 1
str(error) ;; f"{error!r}" ;; str(loud.__repr__) ;; slice(loud) == slice(1) ;; 10**9 * "a" ;; [0] * 10**10 ;; list(range(10**10))
sum(range(10**12)) ;; (10**9999)**9999 ;; f"{1:>1000000000}" ;; "%1000000000d" % 1 ;; "x".ljust(10**10) ;; bytes(10**10)
`),
    harmless: expressions(`
i == 1
local["i"] > 0
len(data["deep"]["b"]) == 3 and i == 1
isinstance(i, (int, str)) and items[0] + i == 4
[x * 2 for x in range(3)][1] == 2 and list(enumerate(items))[0][1] == 3 and i == 1
`),
  },
};

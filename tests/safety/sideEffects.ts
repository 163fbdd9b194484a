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
const tag = () => touch();
globalThis.tag = tag;
function run(i) {
  const local = { i, all: () => [touch, touched, Box, box, proxy, list, map, data, tag] };
//here
}
for (let i = 0; i < 3; i++) run(i);
try {
  throw new Error('caught');
} catch {}
require('node:fs').writeFileSync('result.txt', [touched, list, map.size, JSON.stringify(data), typeof globalThis.made].join(' '));
`,
    statement: '  local.i;',
    after: '0 3,1,2 1 {"a":1,"deep":{"b":[1,2,3]}} undefined',
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
void touch() ;; box ;; proxy ;; [box, { box }]
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
f"{touch()}"
`),
    harmless: expressions(`
i == 1
local["i"] > 0
len(data["deep"]["b"]) == 3 and i == 1
isinstance(i, int) and items[0] + i == 4
`),
  },
};

import { parseLogMessage } from '../../../breakpoints/logMessage.ts';
import type { FunctionBreakpointSpec, LineBreakpointSpec } from '../../../model.ts';

/**
 * Conditions, hit conditions and log messages run inside the program: V8 evaluates a breakpoint's condition without telling
 * us, so a thousand passes cost no round trips. Counts are told at powers of ten and when the program ends, which is the last time that any code may run. The counters live behind a registered symbol on the global object, one set for
 * each context, because test runners run code in contexts of their own.
 */
const stateSymbol = 'sightline.debugger';
export const logBinding = '__sightlineLog';

export type Conditional = Pick<
  LineBreakpointSpec | FunctionBreakpointSpec,
  'id' | 'condition' | 'hitCondition' | 'logMessage' | 'suspendPolicy' | 'readOnly'
>;

/** What it evaluates may have no side effect, which V8 does not watch over here; see guardedBreakpoints.ts. */
export function isGuarded({ readOnly, condition, logMessage }: Conditional): boolean {
  return readOnly === true && (condition !== undefined || logMessage !== undefined);
}

/** The expression V8 is to evaluate at the breakpoint; undefined when it simply stops there. */
export function conditionExpression(
  spec: Conditional,
  rename: (expression: string) => string = (expression) => expression,
): string | undefined {
  const isPlain =
    spec.condition === undefined &&
    spec.hitCondition === undefined &&
    spec.logMessage === undefined &&
    spec.suspendPolicy !== 'none';
  if (isPlain || isGuarded(spec)) return undefined;
  const id = JSON.stringify(spec.id);
  const hit = spec.hitCondition;
  const lines = [
    '(()=>{',
    `const $s=(${install})(${JSON.stringify(stateSymbol)},${JSON.stringify(logBinding)});`,
    ...(spec.condition === undefined
      ? []
      : [`try{if(!(${rename(spec.condition)}\n)){$s.no(${id});return false}}catch($e){$s.bad(${id},$e);return false}`]),
    `if(!$s.hit(${id},${JSON.stringify(hit?.operator ?? '')},${hit?.count ?? 0}))return false;`,
    ...(spec.logMessage === undefined ? [] : [logStatement(id, spec.logMessage, rename)]),
    `return ${spec.suspendPolicy === 'none' || spec.logMessage !== undefined ? 'false' : 'true'}`,
    '})()',
  ];
  return lines.join('\n');
}

/** Reads the counters of one context as JSON; `null` where no condition ever ran. */
export const readCounters = `JSON.stringify(globalThis[Symbol.for(${JSON.stringify(stateSymbol)})]?.counts ?? null)`;

export interface ConditionCounters {
  hits: number;
  conditionFalse: number;
  conditionErrors: number;
  lastError?: string;
}

function logStatement(id: string, message: string, rename: (expression: string) => string): string {
  const pieces = parseLogMessage(message).map((piece) =>
    typeof piece === 'string' ? JSON.stringify(piece) : `()=>(${rename(piece.expression)}\n)`,
  );
  return `$s.log(${id},[${pieces.join(',')}]);`;
}

/** Makes the counters of this context, or finds them. Runs inside the program, so it is plain old JavaScript. */
const install = `(n,b)=>{
const y=Symbol.for(n);let s=globalThis[y];if(s)return s;
const c={};const of=(i)=>c[i]??={hits:0,conditionFalse:0,conditionErrors:0};
const show=(v)=>{if(typeof v==='string')return v;if(typeof v==='bigint')return v+'n';if(typeof v!=='object'||v===null)return String(v);
if(v instanceof Error)return String(v);let k=0;try{return JSON.stringify(v,(_,x)=>++k>200?undefined:typeof x==='bigint'?x+'n':x)}catch{return Object.prototype.toString.call(v)}};
const say=(i)=>{try{globalThis[b](JSON.stringify({id:i,counts:of(i)}))}catch{}};
const tell=(i,n)=>{if(/^10*$/.test(String(n)))say(i)};
try{process.on('exit',()=>Object.keys(c).forEach(say))}catch{}
s={counts:c,no(i){tell(i,++of(i).conditionFalse)},bad(i,e){const o=of(i);o.lastError=String(e).slice(0,200);tell(i,++o.conditionErrors)},
hit(i,op,n){const h=++of(i).hits;tell(i,h);return op===''||(op==='=='?h===n:op==='>='?h>=n:op==='>'?h>n:op==='<'?h<n:op==='<='?h<=n:h%n===0)},
log(i,p){const t=p.map((x)=>{if(typeof x==='string')return x;try{return show(x()).slice(0,1000)}catch(e){return '{'+e+'}'}}).join('');
let d;try{d=globalThis[Symbol.for('sightline.printed')]?.()}catch{}
try{globalThis[b](JSON.stringify({id:i,text:t,printed:d}))}catch{}}};
Object.defineProperty(globalThis,y,{value:s,configurable:true});return s}`;

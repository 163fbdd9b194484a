import type { FunctionBreakpointSpec, LineBreakpointSpec } from '../../model.ts';

/**
 * Conditions, hit conditions and log messages run inside the program: V8 evaluates a breakpoint's condition without telling
 * us, so a thousand passes cost no round trips. The counters live behind a registered symbol on the global object, one set for
 * each context, because test runners run code in contexts of their own.
 */
export const stateSymbol = 'sightline.debugger';
export const logBinding = '__sightlineLog';

type Conditional = Pick<
  LineBreakpointSpec | FunctionBreakpointSpec,
  'id' | 'condition' | 'hitCondition' | 'logMessage' | 'suspendPolicy'
>;

/** The expression V8 is to evaluate at the breakpoint; undefined when it simply stops there. */
export function conditionExpression(spec: Conditional): string | undefined {
  const isPlain =
    spec.condition === undefined &&
    spec.hitCondition === undefined &&
    spec.logMessage === undefined &&
    spec.suspendPolicy !== 'none';
  if (isPlain) return undefined;
  const id = JSON.stringify(spec.id);
  const hit = spec.hitCondition;
  const lines = [
    '(()=>{',
    `const $s=(${install})(${JSON.stringify(stateSymbol)},${JSON.stringify(logBinding)});`,
    ...(spec.condition === undefined
      ? []
      : [`try{if(!(${spec.condition}\n)){$s.no(${id});return false}}catch($e){$s.bad(${id},$e);return false}`]),
    `if(!$s.hit(${id},${JSON.stringify(hit?.operator ?? '')},${hit?.count ?? 0}))return false;`,
    ...(spec.logMessage === undefined ? [] : [logStatement(id, spec.logMessage)]),
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

/** `text {expression} text` in pieces: strings are literal, objects are code. Braces may nest; `\{` is a brace. */
export function parseLogMessage(message: string): (string | { expression: string })[] {
  const pieces: (string | { expression: string })[] = [];
  let literal = '';
  for (let i = 0; i < message.length; i++) {
    const character = message[i];
    if (character === '\\' && (message[i + 1] === '{' || message[i + 1] === '}')) {
      literal += message[++i];
    } else if (character === '{') {
      const end = closingBrace(message, i);
      if (end === undefined) {
        literal += message.slice(i);
        break;
      }
      if (literal !== '') pieces.push(literal);
      literal = '';
      pieces.push({ expression: message.slice(i + 1, end) });
      i = end;
    } else {
      literal += character;
    }
  }
  if (literal !== '') pieces.push(literal);
  return pieces;
}

function closingBrace(text: string, start: number): number | undefined {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return undefined;
}

function logStatement(id: string, message: string): string {
  const pieces = parseLogMessage(message).map((piece) =>
    typeof piece === 'string' ? JSON.stringify(piece) : `()=>(${piece.expression}\n)`,
  );
  return `$s.log(${id},[${pieces.join(',')}]);`;
}

/** Makes the counters of this context, or finds them. Runs inside the program, so it is plain old JavaScript. */
const install = `(n,b)=>{
const y=Symbol.for(n);let s=globalThis[y];if(s)return s;
const c={};const of=(i)=>c[i]??={hits:0,conditionFalse:0,conditionErrors:0};
const show=(v)=>{if(typeof v==='string')return v;if(typeof v==='bigint')return v+'n';if(typeof v!=='object'||v===null)return String(v);
if(v instanceof Error)return String(v);let k=0;try{return JSON.stringify(v,(_,x)=>++k>200?undefined:typeof x==='bigint'?x+'n':x)}catch{return Object.prototype.toString.call(v)}};
s={counts:c,no(i){of(i).conditionFalse++},bad(i,e){const o=of(i);o.conditionErrors++;o.lastError=String(e).slice(0,200)},
hit(i,op,n){const h=++of(i).hits;return op===''||(op==='=='?h===n:op==='>='?h>=n:op==='>'?h>n:op==='<'?h<n:op==='<='?h<=n:h%n===0)},
log(i,p){const t=p.map((x)=>{if(typeof x==='string')return x;try{return show(x()).slice(0,1000)}catch(e){return '{'+e+'}'}}).join('');
try{globalThis[b](JSON.stringify({id:i,text:t}))}catch{}}};
Object.defineProperty(globalThis,y,{value:s,configurable:true});return s}`;

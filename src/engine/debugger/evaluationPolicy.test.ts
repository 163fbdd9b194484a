import { describe, expect, it } from 'vitest';
import { nodeAdapter } from './adapters/node.ts';
import { pythonAdapter } from './adapters/python.ts';
import { checkExpression, type EvaluationRules, type PolicyLanguage } from './evaluationPolicy.ts';

const rules: EvaluationRules = { mode: 'default_blocklist', blockedPatterns: [] };
const expressions = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().replaceAll('⏎', '\n'));

const node: PolicyLanguage = nodeAdapter();
const noEngines = () => Promise.reject(new Error('only the description is asked'));
const python: PolicyLanguage = pythonAdapter({ locate: noEngines, install: noEngines });

function isBlocked(expression: string, language: PolicyLanguage): boolean {
  try {
    checkExpression(expression, rules, language, true);
    return false;
  } catch {
    return true;
  }
}

describe('the block list of JavaScript', () => {
  it.each(
    expressions(
      String.raw`
      eval("1")
      ev\u0061l("1")
      (0, eval)("1")
      eval?.("1")
      eval /* ( */ ("1")
      eval // x⏎("1")
      a / eval("1") / 2
      "/*" + eval("1") + "*/"
      /"/.test(eval("1")) || /"/
      /[/*]/.exec(eval("1")), /*/ 1
      ${'`'}\${eval("1")}${'`'}
      ${'`'}a\${${'`'}b\${eval("1")}${'`'}}${'`'}
      Function${'`'}x${'`'}
      new Function("x")()
      [].constructor.constructor("x")()
      process.exit()
      process?.exit()
      process /**/ . exit()
      globalThis.process.exit(1)
      process["exit"]()
      globalThis["ev" + "al"]("1")
      require("child_process").execSync("id")
      module.require("fs")
      import("node:fs")
      fetch("http://x")
      globalThis.fetch("http://x")
      fs.unlinkSync("x")
      writeFileSync("x", "y")
      <!-- x⏎eval("1")
      { eval("1") }
    `.replaceAll('\\$', '$'),
    ),
  )('stops %s', (expression) => expect(isBlocked(expression, node)).toBe(true));

  it.each(
    expressions(
      String.raw`
      items.map((item) => item.price)
      "eval(1) process.exit() require('fs')"
      /eval\(|process.exit\(/.test(text)
      a // eval("1")
      a /* process.exit() */ + b
      ${'`'}eval(1) \${name} process.exit()${'`'}
      value instanceof Function
      user.fetch
      medieval(x)
      { a: 1, b: "require(x)" }
    `.replaceAll('\\$', '$'),
    ),
  )('lets %s through', (expression) => expect(isBlocked(expression, node)).toBe(false));
});

describe('the block list of Python', () => {
  it.each(
    expressions(String.raw`
      eval("1")
      not eval("1")
      [eval][0]("1")
      list(map(eval, texts))
      ｅｖａｌ("1")
      𝐞𝐯𝐚𝐥("1")
      ℯxec("1")
      eval \⏎ ("1")
      "#" + eval("1")
      "'" + eval("1") + "'"
      """x""" + eval("1")
      "\\" + eval("1")
      f"{eval('1')}"
      f'{x:{eval("1")}}'
      f"{ {'a': eval('1')}['a'] }"
      rf"\{eval('1')}"
      F"""{⏎eval("1")⏎}"""
      os.system("id")
      os . system("id")
      os.path.os.system("id")
      ºs.system("id")
      subprocess.run(["id"])
      import os
      import math, os
      from os import system
      from os.path import join as j; 1
      __import__("os")
      sys.exit(1)
      sys.modules["os"]
      open("x", "w")
      path.unlink()
      ().__class__.__bases__[0].__subclasses__()
      f.__globals__["os"]
      exit()
      input()
    `),
  )('stops %s', (expression) => expect(isBlocked(expression, python)).toBe(true));

  it.each(
    expressions(String.raw`
      vars(user)
      user.__dict__
      user.__class__.__name__
      import math
      import math; math.sqrt(2)
      from decimal import Decimal
      re.compile("a+").match(text)
      "eval(1) os.system('x') import os"
      'it''s' # eval("1")
      f"eval {name} {{os.system('x')}}"
      globals().get("x")
      setattr(user, "name", 1)
      model.eval()
      input.shape
      f(input=3, open=4)
      medieval(x)
      cosmos.system_name
      order.import_date
    `),
  )('lets %s through', (expression) => expect(isBlocked(expression, python)).toBe(false));
});

it('a pattern of the settings that never ends is a refusal, not a standstill', () => {
  const slow: EvaluationRules = { mode: 'default_blocklist', blockedPatterns: ['(x+x+)+y'] };
  const began = Date.now();
  expect(() => checkExpression(`${'x'.repeat(5000)}`, slow, node, true)).toThrow(/takes too long/);
  expect(Date.now() - began).toBeLessThan(2000);
  expect(() => checkExpression('xxy', slow, node, true)).toThrow(/"xxy" is blocked/);
  expect(() => checkExpression('abc', slow, node, true)).not.toThrow();
});

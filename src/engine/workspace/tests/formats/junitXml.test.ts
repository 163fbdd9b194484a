import { expect, test } from 'vitest';
import { readJunitXml } from './junitXml.ts';

test('a report of Surefire: class, durations, failure and error apart, skip with its reason, output, reruns', () => {
  const report = readJunitXml(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="demo.CalcTest" time="1,234.5" tests="5" errors="1" skipped="1" failures="1">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="adds" classname="demo.CalcTest" time="0.012"/>
  <testcase name="divides" classname="demo.CalcTest" time="0.003">
    <failure message="expected: &lt;2&gt; but was: &lt;3&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: expected: <2> but was: <3>
	at demo.CalcTest.divides(CalcTest.java:14)]]></failure>
    <system-out><![CDATA[about to divide]]></system-out>
  </testcase>
  <testcase name="explodes" classname="demo.CalcTest"><error type="java.lang.NullPointerException">java.lang.NullPointerException
	at demo.Calc.x(Calc.java:3)</error></testcase>
  <testcase name="later" classname="demo.CalcTest" time="0"><skipped message="not yet"/></testcase>
  <testcase name="shaky" classname="demo.CalcTest" time="0.1"><flakyFailure message="once"/></testcase>
</testsuite>`,
    'TEST-demo.CalcTest.xml',
  );
  expect(report).toEqual({
    announced: 5,
    suiteErrors: [],
    cases: [
      { suites: [], className: 'demo.CalcTest', name: 'adds', status: 'passed', durationMs: 12 },
      {
        suites: [],
        className: 'demo.CalcTest',
        name: 'divides',
        status: 'failed',
        durationMs: 3,
        message: 'expected: <2> but was: <3>',
        type: 'org.opentest4j.AssertionFailedError',
        text: expect.stringContaining('CalcTest.java:14'),
        stdout: 'about to divide',
      },
      {
        suites: [],
        className: 'demo.CalcTest',
        name: 'explodes',
        status: 'error',
        message: 'java.lang.NullPointerException',
        type: 'java.lang.NullPointerException',
        text: expect.stringContaining('Calc.java:3'),
      },
      { suites: [], className: 'demo.CalcTest', name: 'later', status: 'skipped', durationMs: 0, message: 'not yet' },
      { suites: [], className: 'demo.CalcTest', name: 'shaky', status: 'passed', durationMs: 100, retries: 1 },
    ],
  });
});

test('nested suites, files and lines, a suite that failed outside its tests, more announced than told', () => {
  const report = readJunitXml(
    `<testsuites><testsuite name="outer" tests="3"><error message="beforeAll failed">at x.js:3</error>
<testsuite name="inner" tests="2" file="a.test.js"><testcase name="one" line="7"/><testcase name="two" file="b.js" status="notrun"/></testsuite>
</testsuite></testsuites>`,
    'junit.xml',
  );
  expect(report).toEqual({
    announced: 3,
    suiteErrors: [{ suite: 'outer', message: 'beforeAll failed', text: 'at x.js:3' }],
    cases: [
      { suites: ['outer', 'inner'], name: 'one', file: 'a.test.js', line: 7, status: 'passed' },
      { suites: ['outer', 'inner'], name: 'two', file: 'b.js', status: 'skipped' },
    ],
  });
});

test.each([
  ['<coverage/>', 'its root element is <coverage>'],
  ['<testsuite name="x"><testcase name="y">', 'not closed'],
])('%s is refused', (source, message) => {
  expect(() => readJunitXml(source, 'x.xml')).toThrow(message);
});

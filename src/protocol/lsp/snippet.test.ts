import { describe, expect, it } from 'vitest';
import { snippetText } from './snippet.ts';

describe('the text of a snippet', () => {
  it.each([
    ['foo($1)$0', 'foo()'],
    ['fn ${1:name}(${2:a}: ${3:i32}) {$0}', 'fn name(a: i32) {}'],
    ['${1:outer(${2:inner})}', 'outer(inner)'],
    ['let ${1|const,var,x\\,y|} = 1', 'let const = 1'],
    ['a \\$1 \\} \\\\ b', 'a $1 } \\ b'],
    ['${TM_FILENAME:main}.ts ${CLIPBOARD}', 'main.ts '],
    ['costs 5$ or ${', 'costs 5$ or ${'],
  ])('%s', (snippet, text) => expect(snippetText(snippet)).toBe(text));
});

import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stage } from './stage.ts';
import { schemaShape, withoutParameters } from './schemaShape.ts';
import type { RealClient } from './realClient.ts';

/** What the default face may cost a model before it has done anything. */
const faceBudget = 3800;

/** One client through a whole working day: what its model sees, what it gets, and what is left when it has gone. */
export function clientScenario(client: RealClient): void {
  describe(`${client.title} (${client.packageSpec})`, () => {
    let stage: Stage;

    beforeAll(async () => {
      stage = await Stage.perform(client);
    });

    afterAll(() => stage?.dispose());

    test('offers the model every tool of the face under its name, with its description and parameters', () => {
      const offered = new Map(stage.view.tools.map((tool) => [tool.name, tool]));
      const names = stage.other.tools.map((tool) => client.offered(String(tool['name'])));
      expect(stage.view.names.sort()).toEqual([...names].sort());
      for (const tool of stage.other.tools) {
        const seen = offered.get(client.offered(String(tool['name'])));
        expect(seen?.description).toBe(tool['description']);
        expect(schemaShape(withoutParameters(seen?.schema, client.addedParameters))).toEqual(
          schemaShape(tool['inputSchema']),
        );
      }
    });

    test(`pays at most ${faceBudget} tokens for them`, () => {
      const own = stage.view.tools
        .filter(({ name }) => stage.view.names.includes(name))
        .map(({ name, description, schema }) => ({
          name,
          description,
          schema: withoutParameters(schema, client.addedParameters),
        }));
      expect(encode(JSON.stringify(own)).length).toBeLessThanOrEqual(faceBudget);
    });

    test('shows the model the instructions', () => {
      // A client may indent them.
      const words = (text: string) => text.replaceAll(/\s+/g, ' ');
      expect(words(stage.view.words).includes(words(stage.other.instructions))).toBe(client.dropsInstructions !== true);
    });

    test.each(['probe', 'references', 'failing'] as const)('hands on the answer of %s whole and once', (name) => {
      const text = stage.view.result(name);
      // A client that shows a failed call as JSON shows the text as a string of it.
      const escaped = JSON.stringify(stage.expected[name]).slice(1, -1);
      const expected = text.includes(escaped) ? escaped : stage.expected[name];
      const times = name === 'failing' && client.repeatsErrors === true ? 2 : 1;
      expect(text.split(expected).length - 1, text).toBe(times);
      // What is left is the client's own frame.
      expect(text.replaceAll(expected, '').length, text).toBeLessThan(400);
    });

    test('renames on disk, and says so', () => {
      expect(stage.view.result('rename')).toContain('totalOf');
      expect(stage.home.file('main.ts')).toContain('totalOf([1, 2, 3])');
    });

    test('gets at further tools', () => {
      // One who never lists again reads how the tools are called; one who is late shows them with the next answer.
      const known = stage.view.namesAfter(client.listsAgain === 'late' ? 'further' : 'more');
      expect(known.includes(client.offered('get_problems'))).toBe(client.listsAgain !== undefined);
      const answer = client.listsAgain === undefined ? 'get_problems(' : 'get_problems';
      expect(stage.view.result('more')).toContain(answer);
      expect(stage.view.result('further')).toContain('priceOf');
    });

    test('waits for a long call while a short one beside it is answered', () => {
      expect(stage.view.result('long')).toContain('still running after 3.0 s');
    });

    test('does nothing that needs a person before one has agreed', () => {
      expect(stage.approval).toMatch(
        /^ticket_\S+  pending  .* calls ide_refactor_move \(destructive\)[^]*\bapproved\.\n$/,
      );
      expect(stage.wasDoneUnasked).toBe(false);
      const moved = '.husky/check.sh';
      expect(stage.view.result('approval')).toContain(client.asksAgain === true ? 'approval_pending' : moved);
      expect(stage.view.result(client.asksAgain === true ? 'approved' : 'approval')).toContain(moved);
      expect(stage.home.file(moved)).toBeDefined();
    });

    test('ends well', () => {
      expect(stage.exit, stage.output).toBe(0);
      expect(stage.output).toContain('All done.');
    });

    test('leaves nothing running but the process, which goes on working for another client', () => {
      expect(stage.at.before?.stack).toContain('other.js:3');
      expect(stage.at.afterExit).toEqual(stage.at.before);
    });

    test('lets go of a call on Ctrl-C, and what the call started ends', () => {
      expect(stage.interruptedExit).not.toBe('still running');
      expect(stage.at.afterInterrupt).toEqual(stage.at.before);
    });

    test('talks to nobody but its model', () => {
      expect(stage.model.others.filter((other) => client.strays?.test(other) !== true)).toEqual([]);
    });

    test('leaves nothing at all once the process is stopped', async () => {
      expect(await stage.stop()).toEqual([]);
    });

    test('keeps what the person wrote in its settings', () => {
      for (const [path, text] of Object.entries(client.files?.(stage.model.url) ?? {}))
        for (const line of text.split('\n').filter((part) => part.includes('a comment of the person')))
          expect(readFileSync(`${stage.home.home}/${path}`, 'utf8')).toContain(line);
    });
  });
}

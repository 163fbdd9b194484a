import { sightlineVersion } from '../../base/version.ts';
import type { Command } from '../command.ts';
import { connectAsEditor } from '../editors/connectAsEditor.ts';
import { EditorFeed } from '../editors/editorFeed.ts';

export const editorFeed: Command = {
  name: 'editor-feed',
  summary: 'a language server that shows agents what your editor has not saved',
  usage: `sightline editor-feed

Started by an editor as a language server on standard input and output. Reads and searches then see unsaved text, and
edits of files with unsaved text are made in the editor. docs/guides/editors.md has what to configure.`,
  run: async (_words, { cwd, env }) => {
    const feed = new EditorFeed({
      input: process.stdin,
      output: process.stdout,
      version: sightlineVersion,
      connect: () => connectAsEditor(env, cwd),
    });
    await feed.ended;
    return 0;
  },
};

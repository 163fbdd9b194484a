import { resolve } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { agreedToEverything } from '../../engine/workspace/edits/operations.ts';
import { gitLog } from '../../engine/workspace/git/log.ts';
import { openRepository } from '../../engine/workspace/git/repository.ts';
import { listChanges } from '../../engine/workspace/localHistory/listChanges.ts';
import { revertHunk } from '../../engine/workspace/localHistory/revertHunk.ts';
import { reviewOf, type ReviewScope } from '../../engine/workspace/localHistory/review.ts';
import type { Project } from '../../engine/workspace/project.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';
import { projectAt } from '../projectAt.ts';
import type { ChangesOverview, Scope } from '../viewChannel.ts';

const shownChanges = 200;
const shownCommits = 20;

const project = z.string();
const scope = z.object({
  historyId: z.string().optional(),
  callId: z.string().optional(),
  client: z.string().optional(),
  since: z.iso.datetime().optional(),
  commit: z.string().max(200).optional(),
});

/** Changes as a person reviews them. Whole changes are taken back by the tool `undo`. */
export function changeMethods({ parts }: MethodContext): AnyMethod[] {
  const { engines, reviews, personNotes } = parts;
  const at = (path: string) => projectAt(parts.projects, path);
  return [
    method('changes.overview', z.object({ project }), (params) => overview(parts, at(params.project))),
    method('changes.review', z.object({ project, scope }), async (params) => {
      const where = at(params.project);
      await engines.workingTree.settled(where);
      const { files, moreFiles } = await reviewOf(engines.localHistory, where, scopeOf(params.scope));
      return {
        files: files.map(({ path: _path, ...file }) => file),
        moreFiles,
        accepted: [...reviews.accepted(where)],
        comments: [...reviews.comments(where)],
      };
    }),
    method('changes.revertHunk', z.object({ project, scope, hunk: z.string() }), async (params) => {
      const where = at(params.project);
      // The person who could be asked is the one who asks.
      const origin = {
        tool: 'revert_hunk',
        client: 'dashboard',
        clientName: 'dashboard',
        agreedTo: agreedToEverything,
      };
      const { edits, localHistory } = engines;
      const reverted = await revertHunk(edits, localHistory, where, scopeOf(params.scope), params.hunk, origin);
      const { file, hunk, applied } = reverted;
      const first = hunk.newStart + hunk.lines.findIndex(({ mark }) => mark !== ' ');
      personNotes.did(where, `reverted your change to ${file.file} at line ${first}`);
      return { historyId: applied.historyId };
    }),
    method('changes.accept', z.object({ project, hunk: z.string(), accepted: z.boolean() }), (params) => {
      reviews.accept(at(params.project), params.hunk, params.accepted);
      return {};
    }),
    method(
      'changes.comment',
      z.object({
        project,
        comment: z.object({
          file: z.string().max(4000),
          line: z.int().min(0),
          code: z.string().max(10_000),
          text: z.string().trim().min(1).max(4000),
          hunkId: z.string().optional(),
        }),
      }),
      (params) => reviews.comment(at(params.project), params.comment),
    ),
    method('changes.uncomment', z.object({ project, id: z.string() }), (params) => {
      reviews.forget(at(params.project), params.id);
      return {};
    }),
    method(
      'changes.ask',
      z.object({
        project,
        file: z.string().max(4000),
        fromLine: z.int().min(1),
        toLine: z.int().min(1),
        text: z.string().max(20_000),
      }),
      async ({ file, fromLine, toLine, text, ...params }) => {
        const where = at(params.project);
        const path = resolve(where.root, file);
        if (!isInside(where.root, path)) throw new ToolError('path_outside_project', `${file} is outside the project.`);
        return { told: await parts.ide.select(where, { path, fromLine, toLine, text }, true) };
      },
    ),
    method('changes.send', z.object({ project }), (params) => ({ sent: reviews.send(at(params.project)) })),
  ];
}

async function overview({ engines }: MethodContext['parts'], where: Project): Promise<ChangesOverview> {
  await engines.workingTree.settled(where);
  const { changes, total } = await listChanges(engines.localHistory, where, {}, shownChanges);
  return {
    total,
    changes: changes.map(({ historyId: id, undone, undoOf, observed, ...rest }) => ({
      id,
      time: rest.time,
      tool: rest.tool,
      summary: rest.summary,
      callId: rest.callId,
      client: rest.client,
      clientName: rest.clientName,
      files: rest.files,
      filesCount: rest.filesCount,
      isUndone: undone === true,
      isUndo: undoOf !== undefined,
      isByProgram: observed === true,
    })),
    commits: await commitsOf(where),
  };
}

async function commitsOf(where: Project): Promise<ChangesOverview['commits']> {
  const repository = await openRepository(where).catch(() => undefined);
  if (repository === undefined) return [];
  const { commits } = await gitLog(repository, { limit: shownCommits });
  return commits.map(({ commit, subject, date }) => ({ id: commit, title: subject, time: date }));
}

function scopeOf({ since, ...rest }: Scope): ReviewScope {
  if (since === undefined) return rest;
  const time = new Date(since);
  if (Number.isNaN(time.getTime())) throw new ToolError('invalid_arguments', `"${since}" is no time.`);
  return { ...rest, since: time };
}

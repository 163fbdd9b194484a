import { advise, parameter } from '../../../../base/text/advice.ts';

/** What a rename refuses. */
export const renameRefusals = {
  declaredOutside: { says: '"{name}" is also declared in {path}, which is not part of the project.', isConflict: true },
  standsOutside: { says: '"{text}" also stands in {path}, which is not part of the project.', isConflict: true },
  partOfPath: {
    says: '"{name}" is part of the path of a file there.',
    hint: advise`Given only file and ${parameter('newName')}, the file itself is renamed, and its imports.`,
  },
  writtenWithEscape: {
    why: '"{name}" is also written with an escape',
    hint: 'Write the name plainly everywhere first.',
  },
  previewWasNotWhole: {
    says: 'Checking the preview found that more must change: {summary}. Nothing was changed.',
    hint: 'Ask for the change itself, without a preview: it is checked before it is made.',
    isConflict: true,
  },
  serverDoesNotRename: { says: '"{name}" cannot be renamed: {reason}' },
  renameChangesNothing: { says: 'The server changes nothing to rename "{name}".' },
} as const;

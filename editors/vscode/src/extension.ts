import * as vscode from 'vscode';
import { connectAsEditor } from '../../../src/cli/editors/connectAsEditor.ts';
import { ProcessLink } from '../../../src/cli/editors/processLink.ts';
import { applyEdit } from './applyEdit.ts';
import { Breakpoints } from './breakpoints.ts';
import { feedDocuments } from './documents.ts';
import { Follower } from './follower.ts';
import { Dashboard } from './dashboard.ts';
import { ProcessSide } from './processSide.ts';
import { Prompts } from './prompts.ts';

/** Joins this window to the Sightline process of this user, whenever there is one. */
export function activate(context: vscode.ExtensionContext): void {
  const side = new ProcessSide();
  const documents = feedDocuments(side.notify);
  const breakpoints = new Breakpoints(side, context.workspaceState);
  const follower = new Follower(context.workspaceState);
  const prompts = new Prompts(side);
  const dashboard = new Dashboard(side, context.extensionUri);
  const link = new ProcessLink({
    connect: () => connectAsEditor(process.env, folders()[0] ?? process.cwd()),
    onConnected: (rpc) => {
      rpc.handle('workspace/applyEdit', applyEdit);
      side.connected(rpc);
      rpc.notify('feed/start', { editor: vscode.env.appName, folders: folders() });
      documents.tellAll();
      follower.connected(true);
      dashboard.changed();
    },
    onLost: () => {
      side.lost();
      breakpoints.lost();
      prompts.lost();
      follower.connected(false);
      dashboard.changed();
    },
  });
  side.on('feed/breakpoints', (told) => breakpoints.told(told));
  side.on('feed/place', (place) => void follower.show(place));
  side.on('feed/approval', (call) => void prompts.approval(call));
  side.on('feed/untrusted', (project) => void prompts.trust(project));
  context.subscriptions.push(documents, breakpoints, follower, prompts, dashboard, { dispose: () => link.dispose() });
  // A window with other folders is told of other projects.
  context.subscriptions.push(vscode.workspace.onDidChangeWorkspaceFolders(() => link.reconnect()));
  link.start();
}

function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}

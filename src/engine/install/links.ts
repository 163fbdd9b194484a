import { wantedEntry } from './entry.ts';
import { clientOf } from './installer.ts';
import type { InstallPlace } from './model.ts';

/** Links that open a program and have it ask whether to add Sightline. */
export function installLinks(place: InstallPlace): { title: string; link: string }[] {
  const cursor = wantedEntry(clientOf('cursor', place), place, undefined) ?? {};
  const vscode = { name: 'sightline', ...wantedEntry(clientOf('vscode', place), place, undefined) };
  const config = encodeURIComponent(Buffer.from(JSON.stringify(cursor)).toString('base64'));
  return [
    { title: 'Cursor', link: `cursor://anysphere.cursor-deeplink/mcp/install?name=sightline&config=${config}` },
    { title: 'VS Code', link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify(vscode))}` },
  ];
}

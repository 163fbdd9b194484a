import { vscodeServer } from '../../nodeServer.ts';

export const cssLanguageServer = vscodeServer('css', 'CSS');

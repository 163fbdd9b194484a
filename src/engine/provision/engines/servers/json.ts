import { vscodeServer } from '../../nodeServer.ts';

export const jsonLanguageServer = vscodeServer('json', 'JSON');

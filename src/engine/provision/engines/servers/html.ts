import { vscodeServer } from '../../nodeServer.ts';

export const htmlLanguageServer = vscodeServer('html', 'HTML');

import { describeCases } from './caseRun.ts';
import { typescriptVerdict } from './verdicts.ts';

describeCases('typescript', 'declarations', async () => typescriptVerdict);

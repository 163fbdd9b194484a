import { describeCases } from './caseRun.ts';
import { pythonVerdict } from './pythonVerdict.ts';

describeCases('python', 'declarations', pythonVerdict);

import { clientScenario } from './scenario.ts';
import { claudeCode } from './specs/claudeCode.ts';

clientScenario(claudeCode);

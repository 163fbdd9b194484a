import { clientScenario } from './scenario.ts';
import { codex } from './specs/codex.ts';

clientScenario(codex);

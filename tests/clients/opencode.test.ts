import { clientScenario } from './scenario.ts';
import { opencode } from './specs/opencode.ts';

clientScenario(opencode);

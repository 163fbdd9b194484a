import { clientScenario } from './scenario.ts';
import { copilot } from './specs/copilot.ts';

clientScenario(copilot);

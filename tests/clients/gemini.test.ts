import { clientScenario } from './scenario.ts';
import { gemini } from './specs/gemini.ts';

clientScenario(gemini);

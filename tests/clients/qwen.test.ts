import { clientScenario } from './scenario.ts';
import { qwen } from './specs/qwen.ts';

clientScenario(qwen);

import { total, Toy } from '../src/pricing.ts';

if (total([new Toy('bear')]) !== 500) throw new Error('wrong');

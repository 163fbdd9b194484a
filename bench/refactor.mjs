// `npm run bench -- refactor`: a rename in 147 files beside the bare server and bare writing.
import { speed } from './refactor/speed.mjs';

await speed();

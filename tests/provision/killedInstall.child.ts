import { Provision } from '../../src/engine/provision/provision.ts';
import { sampleEngine } from './sampleEngine.ts';

/** A process that installs and is killed meanwhile: cache folder and script are its arguments. */
const [cacheDir = '', script = ''] = process.argv.slice(2);
const provision = new Provision({ cacheDir, env: process.env, catalog: [sampleEngine(script)] });
await provision.install(['sample'], { progress: ({ message }) => void process.stdout.write(`${message}\n`) });

export * from './account';
export * as steps from './steps';
export { default as parseOptions, describe, type Options } from './parse';
export { node, size, depth as height } from './tree';
export { lines } from './log';

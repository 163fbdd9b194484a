import packageJson from '../../package.json' with { type: 'json' };

/** Replaced by the build. */
declare const __SIGHTLINE_BUILD__: string | undefined;

/** Of this Sightline. The build inlines it; the package file is not read at run time. */
export const sightlineVersion: string = packageJson.version;

/** Tells builds of one version apart: a hash of the sources, or `source` when they run as they are. */
export const sightlineBuild: string = typeof __SIGHTLINE_BUILD__ === 'string' ? __SIGHTLINE_BUILD__ : 'source';

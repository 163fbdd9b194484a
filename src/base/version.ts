import packageJson from '../../package.json' with { type: 'json' };

/** Of this Sightline. The build inlines it; the package file is not read at run time. */
export const sightlineVersion: string = packageJson.version;

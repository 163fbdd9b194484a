import { join } from 'node:path';
import { byHand } from '../../installers/byHand.ts';
import type { EngineDeclaration } from '../../model.ts';
import { versionFrom } from '../../probes.ts';
import { atPlaces, onPath } from '../../programs.ts';

export const java: EngineDeclaration = {
  id: 'java',
  title: 'Java',
  role: 'toolchain',
  languages: ['java'],
  minimumVersion: '17',
  find: [
    {
      source: 'path',
      paths: ({ env }) => (env['JAVA_HOME'] === undefined ? [] : [join(env['JAVA_HOME'], 'bin', 'java')]),
    },
    onPath('java'),
    atPlaces('/usr/lib/jvm/*/bin/java', '/Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java'),
  ],
  start: (path) => [path],
  probe: versionFrom(['-version'], /version "(\d+(?:\.\d+)*)/),
  install: byHand('Java is not installed by Sightline.', {
    linux: 'sudo apt-get install openjdk-17-jdk',
    darwin: 'brew install openjdk',
    win32: 'winget install Microsoft.OpenJDK.21',
  }),
};

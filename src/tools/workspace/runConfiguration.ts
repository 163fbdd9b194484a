import { executeConfiguration } from '../executeConfiguration.ts';

export const runConfigurationTool = executeConfiguration({
  name: 'run_configuration',
  title: 'Run configuration',
  description:
    'Runs a configuration by name as a job, or under the debugger. Waits up to wait_ms for its end, a stop or its port: exit code, output.',
  face: 'workspace',
  defaultMode: 'run',
});

import { executeConfiguration } from '../executeConfiguration.ts';

export const runConfigurationTool = executeConfiguration({
  name: 'run_configuration',
  title: 'Run configuration',
  description:
    'Runs a run configuration by name as a job, or under the debugger (mode debug). Waits up to wait_ms: exit code and output (beginning and end). wait_job and read_run_output go on from there.',
  face: 'workspace',
  defaultMode: 'run',
});

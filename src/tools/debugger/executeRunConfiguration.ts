import { executeConfiguration } from '../executeConfiguration.ts';

export const executeRunConfiguration = executeConfiguration({
  name: 'execute_run_configuration',
  title: 'Execute run configuration',
  description:
    'Starts a run configuration by name under the debugger and waits for the first stop or the end. mode run starts it without debugger, as a job.',
  face: 'debugger',
  defaultMode: 'debug',
});

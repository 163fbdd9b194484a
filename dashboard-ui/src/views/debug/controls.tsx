import { keyText } from '../../commands.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { orToast } from '../../parts/toasts.tsx';
import { act, busy, cursor, past, run, sessionId, view, waitMs } from './sessionState.ts';

interface Control {
  id: string;
  title: string;
  icon: IconName;
  key: string;
  isPossible: () => boolean;
  run: () => void;
}

const isPaused = () => view.value?.state === 'paused' && past.value === undefined;

/** What lets the program run, each with its key. */
export const controls: readonly Control[] = [
  {
    id: 'resume',
    title: 'Resume',
    icon: 'play',
    key: 'F8',
    isPossible: () => isPaused(),
    run: () => isPaused() && run('resume_execution'),
  },
  {
    id: 'pause',
    title: 'Pause',
    icon: 'pause',
    key: 'F6',
    isPossible: () => view.value?.state === 'running',
    run: () => view.value?.state === 'running' && run('pause_execution'),
  },
  {
    id: 'over',
    title: 'Step over',
    icon: 'stepOver',
    key: 'F10',
    isPossible: isPaused,
    run: () => isPaused() && run('step_over'),
  },
  {
    id: 'into',
    title: 'Step into',
    icon: 'stepInto',
    key: 'F11',
    isPossible: isPaused,
    run: () => isPaused() && run('step_into'),
  },
  {
    id: 'out',
    title: 'Step out',
    icon: 'stepOut',
    key: 'Shift+F11',
    isPossible: isPaused,
    run: () => isPaused() && run('step_out'),
  },
  {
    id: 'toLine',
    title: 'Run to the line of the cursor',
    icon: 'toLine',
    key: '$mod+F10',
    isPossible: () => isPaused() && cursor.value !== undefined,
    run: () => {
      const at = cursor.value;
      if (isPaused() && at !== undefined) run('run_to_line', { file_path: at.file, line: at.line, wait_ms: waitMs });
    },
  },
  {
    id: 'jump',
    title: 'Jump to the line of the cursor without running what is between',
    icon: 'jump',
    key: '$mod+Shift+F10',
    isPossible: () => isPaused() && cursor.value !== undefined && view.value?.canJump === true,
    run: () => {
      const at = cursor.value;
      if (isPaused() && at !== undefined) run('jump_to_line', { file_path: at.file, line: at.line });
    },
  },
  {
    id: 'stop',
    title: 'Stop',
    icon: 'stop',
    key: 'Shift+F5',
    isPossible: () => view.value !== undefined && view.value.state !== 'ended',
    run: () => {
      if (sessionId.value !== undefined) orToast(act('stop_debug_session', { session_id: sessionId.value }));
    },
  },
];

export function Controls() {
  return (
    <div class="controls" role="toolbar" aria-label="Run control" aria-busy={busy.value !== undefined}>
      {controls.map(({ id, title, icon, key, isPossible, run: go }) => (
        <button
          key={id}
          type="button"
          class="iconOnly"
          aria-label={title}
          title={`${title} (${keyText(key)})`}
          disabled={!isPossible()}
          onClick={go}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}

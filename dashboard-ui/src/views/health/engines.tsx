import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EngineHealth, InstallProgress, LanguageHealth } from '../../../../src/dashboard/channel.ts';
import { call, on } from '../../client.ts';
import { CopyButton } from '../../parts/copyButton.tsx';
import { ErrorState } from '../../parts/errorState.tsx';
import { visible } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { useLoaded } from '../../parts/loaded.ts';
import { orToast, toast } from '../../parts/toasts.tsx';
import { project } from '../../state.ts';

const roles: Readonly<Record<string, string>> = {
  toolchain: 'Toolchain',
  debugger: 'Debugger',
  languageServer: 'Code',
  refactoring: 'Refactoring',
  formatter: 'Formatter',
  grammar: 'Syntax',
  testRunner: 'Tests',
};

/** For each language what was found, and what can be installed. */
export function Engines() {
  const { value, error, isLoading, reload } = useLoaded(
    () => call('health.survey', { project: project.value }),
    [project.value],
  );
  const progress = useSignal<Readonly<Record<string, InstallProgress>>>({});
  useEffect(
    () =>
      on('installing', (one) => {
        progress.value = { ...progress.value, [one.engine]: one };
        if (one.state === 'done') reload();
      }),
    [reload],
  );
  if (value === undefined && error !== undefined) return <ErrorState error={error} onRetry={reload} />;
  if (value === undefined) return <p class="muted">Looking for engines…</p>;
  const complete = value.filter((each) => each.complete).length;
  return (
    <>
      <p class="engineSum">
        <span>
          {complete} of {value.length} languages have all they need.
        </span>
        <button type="button" onClick={reload} disabled={isLoading}>
          <Icon name="refresh" />
          {isLoading ? 'Looking…' : 'Look again'}
        </button>
      </p>
      <div class="languages">
        {value.map((language) => (
          <Language key={language.language} language={language} progress={progress.value} />
        ))}
      </div>
    </>
  );
}

function Language({
  language,
  progress,
}: {
  language: LanguageHealth;
  progress: Readonly<Record<string, InstallProgress>>;
}) {
  return (
    <section class="language" aria-label={language.title}>
      <h2>
        {language.title}
        <span class={`badge ${language.complete ? 'ok' : 'warn'}`}>
          {language.complete ? 'complete' : 'incomplete'}
        </span>
      </h2>
      <ul>
        {language.engines.map((engine) => (
          <Engine key={engine.id} engine={engine} progress={progress[engine.id]} />
        ))}
      </ul>
    </section>
  );
}

function Engine({ engine, progress }: { engine: EngineHealth; progress: InstallProgress | undefined }) {
  const isBusy = useSignal(false);
  const install = async () => {
    isBusy.value = true;
    try {
      const { installed } = await call('health.install', { engine: engine.id, project: project.value });
      toast(`${installed} was installed.`);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <li class={engine.found ? 'found' : 'missing'}>
      <span class="muted role">{roles[engine.role] ?? engine.role}</span>
      <span class="engineName">
        <Icon name={engine.found ? 'check' : engine.optional ? 'right' : 'warning'} />
        {engine.title} {engine.version ?? ''}
        <span class="hidden">{engine.found ? ', found' : ', missing'}</span>
      </span>
      {engine.found ? (
        <span class="muted mono place" title={engine.path}>
          <bdi dir="ltr">{engine.source === 'bundled' ? 'comes with Sightline' : visible(engine.path ?? '')}</bdi>
        </span>
      ) : (
        <span class="place">
          {engine.installable ? (
            <button type="button" disabled={isBusy.value} onClick={() => orToast(install())}>
              {isBusy.value ? 'Installing…' : 'Install'}
            </button>
          ) : (
            engine.installCommand !== undefined && (
              <>
                <code>{engine.installCommand}</code>
                <CopyButton text={engine.installCommand} label={`Copy the command that installs ${engine.title}`} />
              </>
            )
          )}
          <span class="muted why" role={isBusy.value ? 'status' : undefined}>
            {progress !== undefined && (isBusy.value || progress.state === 'failed')
              ? visible(progress.message)
              : engine.optional
                ? 'optional'
                : engine.problem}
          </span>
        </span>
      )}
    </li>
  );
}

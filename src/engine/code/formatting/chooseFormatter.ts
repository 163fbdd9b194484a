import { ToolError } from '../../../base/errors.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import type { Provision } from '../../provision/provision.ts';
import type { Project } from '../../workspace/project.ts';
import type { Formatter } from './formatter.ts';

interface ChosenFormatter {
  formatter: Formatter;
  program: string;
}

/** What the project is configured for; without that, what it has installed, then what is on the machine. */
export async function chooseFormatter(
  provision: Provision,
  project: Project,
  file: string,
  candidates: readonly Formatter[],
  what: { name: string; known: string },
): Promise<ChosenFormatter> {
  const fitting = candidates.filter((one) => one.extensions.test(file));
  const configured = fitting.filter((one) => one.isConfigured(project, file));
  const missing: string[] = [];
  // Another formatter than the project's own would bring its files into another form.
  for (const formatter of configured.length > 0 ? configured : standardOnes(project, file, fitting)) {
    if (formatter.runsProjectCode && !project.trusted)
      throw new ToolError(
        'project_not_trusted',
        `${formatter.name} is part of the project, which is not trusted, so it is not run.`,
        {
          hint: `A person can trust it: sightline trust ${project.root}`,
        },
      );
    const [program] = formatter.programs(project, file);
    if (program !== undefined) return { formatter, program };
    if (formatter.name === 'Ruff') {
      const located = await provision.locate('ruff', project);
      if (located.found) return { formatter, program: located.path };
      missing.push(`Ruff (${located.installCommand})`);
    } else missing.push(formatter.name);
  }
  const shown = displayPath(project.root, file);
  if (missing.length > 0)
    throw new ToolError(
      'engine_missing',
      configured.length > 0
        ? `${missing.join(', ')}, which the project uses for ${shown}, was not found. Nothing was changed.`
        : `No ${what.name} for ${shown} was found; looked for ${missing.join(', ')}.`,
      {
        hint: project.trusted
          ? `Install ${missing.length > 1 ? 'one of them' : 'it'}, in the project or on the PATH.`
          : `In a project that is not trusted, programs of the project and of version managers (rustup, pyenv, mise, …) are not used. A person can trust it: sightline trust ${project.root}`,
      },
    );
  throw new ToolError('unsupported', `The project has no ${what.name} configured for ${shown}.`, {
    hint: what.known,
  });
}

function standardOnes(project: Project, file: string, fitting: readonly Formatter[]): Formatter[] {
  const isOwn = (one: Formatter) => isInside(project.root, one.programs(project, file)[0] ?? '/');
  const standard = fitting.filter((one) => one.isStandard);
  return [...standard.filter(isOwn), ...standard.filter((one) => !isOwn(one))];
}

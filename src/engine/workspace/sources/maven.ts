import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { download, downloadText } from './download.ts';
import type { SourceContext, SourceReader } from './model.ts';
import { unpack } from './unpack.ts';

const publicRepository = 'https://repo1.maven.org/maven2';

/** The sources jar that lies beside an artifact: from the local repository, else from the remote one. */
export const mavenSources: SourceReader = async ({ name, version }, context) => {
  const [group = '', artifact = ''] = name.split(':');
  const known = version === undefined ? undefined : await context.kept('maven', name, version);
  if (known !== undefined) return known;
  context.progress?.(`fetching ${name}`);
  const repository = await repositoryAddress(context.project.env);
  const folder = `${group.replaceAll('.', '/')}/${artifact}`;
  const wanted = version ?? (await newestRelease(`${repository}/${folder}/maven-metadata.xml`, context));
  if (wanted === undefined) throw missing(name, undefined);
  const file = `${artifact}-${wanted}-sources.jar`;
  const jar =
    (await inLocalRepository(`${folder}/${wanted}/${file}`, context.project.env)) ??
    (await fetched(`${repository}/${folder}/${wanted}/${file}`, context));
  if (jar === undefined) throw missing(name, wanted);
  const notes = version === undefined ? ['No build file here names it; this is the newest version.'] : [];
  return context.keep({ registry: 'maven', name, version: wanted, kind: 'sources jar', notes }, (target) =>
    unpack(jar, file, target, context.signal),
  );
};

async function inLocalRepository(path: string, env: NodeJS.ProcessEnv): Promise<Buffer | undefined> {
  return readFile(join(env['HOME'] ?? '/', '.m2', 'repository', path)).catch(() => undefined);
}

async function fetched(url: string, { signal }: SourceContext): Promise<Buffer | undefined> {
  const hash = /^[0-9a-f]{40}/i.exec((await downloadText(`${url}.sha1`, { signal }))?.trim() ?? '')?.[0];
  return download(url, { signal, ...(hash === undefined ? {} : { hash: { algorithm: 'sha1', hex: hash } }) });
}

async function newestRelease(url: string, { signal }: SourceContext): Promise<string | undefined> {
  const text = (await downloadText(url, { signal })) ?? '';
  return /<release>\s*([^<\s]+)/.exec(text)?.[1] ?? /<latest>\s*([^<\s]+)/.exec(text)?.[1];
}

/** A mirror of everything, or of the central repository, that the person's own Maven settings name. */
async function repositoryAddress(env: NodeJS.ProcessEnv): Promise<string> {
  const settings = await readFile(join(env['HOME'] ?? '/', '.m2', 'settings.xml'), 'utf8').catch(() => '');
  for (const [mirror] of settings.matchAll(/<mirror>[^]*?<\/mirror>/g)) {
    const of = /<mirrorOf>\s*([^<]*?)\s*<\/mirrorOf>/.exec(mirror)?.[1] ?? '';
    const url = /<url>\s*(https:[^<\s]+)\s*<\/url>/.exec(mirror)?.[1];
    if (url !== undefined && /^(?:\*|external:\*|central)(?:,|$)/.test(of)) return url.replace(/\/+$/, '');
  }
  return publicRepository;
}

function missing(name: string, version: string | undefined): ToolError {
  const what = version === undefined ? name : `${name}:${version}`;
  return new ToolError('file_not_found', `There is no sources jar of ${what}.`);
}

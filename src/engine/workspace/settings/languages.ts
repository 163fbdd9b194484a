import { z } from 'zod';

const template = z.record(z.string(), z.unknown());

/** A language that Sightline has no file for: its server and its debug adapter, as the person or the project names them. */
export const configuredLanguage = z.object({
  /** With the dot. */
  extensions: z.array(z.string().regex(/^\.\w+$/)).min(1),
  server: z
    .object({
      command: z.array(z.string()).min(1),
      /** As the protocol names the language; the name of the entry when absent. */
      languageId: z.string().optional(),
      /** Files besides sources whose change it must hear of. */
      rootMarkers: z.array(z.string()).optional(),
      /** How it shows that it knows the whole project. */
      readiness: z.enum(['answersWait', 'progress']).optional(),
      initializationOptions: template.optional(),
      settings: template.optional(),
    })
    .optional(),
  debugger: z
    .object({
      command: z.array(z.string()).min(1),
      /** `stdio`, or a regular expression that finds the port in what it prints. */
      transport: z.union([z.literal('stdio'), z.object({ listens: z.string() })]).optional(),
      adapterId: z.string().optional(),
      /** The request that begins a session; some adapters start the program themselves and are attached to. */
      request: z.enum(['launch', 'attach']).optional(),
      arguments: template.optional(),
      build: z.array(z.string()).optional(),
      stopsAtEntry: z.boolean().optional(),
      /** The program's output is the adapter's own. */
      sharesOutput: z.boolean().optional(),
    })
    .optional(),
});

export type ConfiguredLanguage = z.output<typeof configuredLanguage>;
export type ConfiguredLanguages = Readonly<Record<string, ConfiguredLanguage>>;

/** What a client does differently from what the protocol lets one expect, and what is done about it. */
export interface ClientQuirk {
  /** Of the name that the client gives itself when it connects. */
  client: RegExp;
  /** The versions it was seen in, for people; a quirk holds until somebody has seen it gone. */
  seenIn: string;
  /** It never asks for the list of tools again, whatever it is told. */
  neverListsAgain?: true;
  /** What `status` shows. */
  about: string;
}

/** Every compatibility rule there is. A client that stumbles gets a line here, and nothing anywhere else. */
const clientQuirks: readonly ClientQuirk[] = [
  {
    client: /^codex/i,
    seenIn: '0.166',
    neverListsAgain: true,
    about: 'does not list tools again: further tools are called through sightline_tools',
  },
  {
    client: /^qwen/i,
    seenIn: '0.24',
    neverListsAgain: true,
    about: 'does not list tools again: further tools are called through sightline_tools',
  },
];

/**
 * Names that are tools of a client's own: said without more, the client's is called. Gemini CLI and Qwen Code have the first two, Cursor
 * and VS Code the others.
 */
export const builtinNames: ReadonlySet<string> = new Set(['read_file', 'write_file', 'edit_file', 'run_in_terminal']);

/** `name` is what the client calls itself, with or without its version. */
export function quirksOf(name: string): readonly ClientQuirk[] {
  return clientQuirks.filter((quirk) => quirk.client.test(name));
}

/** The first 150 characters are all that some clients show, and they must say what this is for. */
const lead =
  'Sightline is your IDE: it looks into running programs, knows who uses what, and refactors safely. Prefer it to print statements, grep and hand edits.';

/** What a client is told when it connects: at most 120 words, because each conversation pays for them, and only tools that it sees. */
export function instructionsFor(listed: ReadonlySet<string>): string {
  const some = (...names: string[]) => names.filter((name) => listed.has(name));
  const navigation = some(
    'search_symbols',
    'ide_find_definition',
    'ide_find_references',
    'find_references',
    'get_file_outline',
  );
  const asking = [
    ...(listed.has('debug_explain') ? ['debug_explain explains a red test'] : []),
    'debug_probe shows values at any line',
    ...(listed.has('debug_who_changed') ? ['debug_who_changed who wrote one'] : []),
  ];
  const tidying = some('optimize_imports', 'format_code');
  const lines: (string | false)[] = [
    listed.has('debug_probe')
      ? `Find causes by running: ${inWords(asking)}, in one call.`
      : listed.has('set_breakpoint') &&
        'Find the cause of a failure by running it: set_breakpoint, then start_debug_session.',
    navigation.length > 0 && `Navigate with ${inWords(navigation)} rather than grep.`,
    listed.has('ide_refactor_rename') &&
      `Rename, extract, inline, move and delete with ide_refactor_*; \`preview\` shows the diff first${listed.has('undo') ? ', undo takes it back' : ''}.`,
    listed.has('run_tests') && 'run_tests says what failed, where and why.',
    listed.has('list_changes') && 'Files written through Sightline can be undone.',
    tidying.length > 0 && `After edits: ${inWords(tidying)}.`,
    `Every error says the next call to try.${listed.has('sightline_tools') ? ' sightline_tools has further tools and can call them.' : ''}`,
  ];
  return [lead, ...lines.filter((line) => line !== false).map((line) => `- ${line}`)].join('\n');
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** What every client is told when it connects: at most 120 words, because each conversation pays for them. */
export const instructions = `Sightline is your IDE: debugger, code index with refactorings, workspace.
- Find the cause of a failure by running it: debug_probe (or set_breakpoint and start_debug_session) beats added print statements.
- Navigate with search_symbols, ide_find_definition, ide_find_references and get_file_outline rather than grep: they know the language.
- Rename, extract, inline, move and delete with ide_refactor_*; \`preview\` shows the diff first, undo takes it back.
- Write files with write_file or edit_file, so that every change can be undone; read_file sees the newest state.
- After edits run optimize_imports and format_code on the changed files, then get_problems, then run the tests.
- Every error says the next call to try. sightline_tools turns on further tools.`;

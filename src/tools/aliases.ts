/** Names that older clients and other tools of this field use. Accepted on call, never listed. */
export const toolAliases: Readonly<Record<string, string>> = {
  resume: 'resume_execution',
  pause: 'pause_execution',
  evaluate: 'evaluate_expression',
  intellij_read_file: 'read_file',
  intellij_write_file: 'write_file',
};

/** Other spellings of parameters, tried in order: the first that the tool really has is taken. */
export const parameterAliases: Readonly<Record<string, readonly string[]>> = {
  file: ['file_path', 'path'],
  file_path: ['file', 'path'],
  path: ['file_path', 'file'],
  filename: ['file_path', 'file'],
  project: ['project_path'],
  query: ['pattern', 'text'],
  old_string: ['old_text'],
  old_str: ['old_text'],
  new_string: ['new_text'],
  new_str: ['new_text'],
};

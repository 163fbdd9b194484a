import { outputForms, toolsetNames, type OutputForm, type ToolsetName } from '../../tools/faces.ts';

/** What a client may ask for in the address: `?toolsets=git,tests&output=json`. Names we do not know are passed over. */
export function peerOptions(query: URLSearchParams): { toolsets: ToolsetName[]; output?: OutputForm } {
  const asked = query
    .getAll('toolsets')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim());
  const output = outputForms.find((form) => form === query.get('output'));
  return {
    toolsets: toolsetNames.filter((name) => asked.includes(name)),
    output,
  };
}

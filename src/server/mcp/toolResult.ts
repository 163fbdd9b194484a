import type { CallToolResult } from '@modelcontextprotocol/server';
import { visibleJson } from '../../base/text/textBudget.ts';
import type { FaceName, OutputForm } from '../../tools/faces.ts';
import type { AnswerError, ToolAnswer } from '../answer.ts';
import { numericCode } from './numericCodes.ts';

/** The answer of a call in the form the client asked for. */
export function toolResult(answer: ToolAnswer, face: FaceName, output: OutputForm): CallToolResult {
  if (answer.error !== undefined) return failedResult(answer.error, answer.text, face, output);
  const data = answer.data ?? {};
  switch (output) {
    case 'json':
      return { content: [{ type: 'text', text: visibleJson(data) }], structuredContent: data };
    case 'both':
      return { content: [{ type: 'text', text: answer.text }], structuredContent: data };
    case 'text':
      // Clients that are given structured content show it to the model instead of the text, so there is none here.
      return { content: [{ type: 'text', text: answer.text }] };
  }
}

function failedResult(error: AnswerError, text: string, face: FaceName, output: OutputForm): CallToolResult {
  // Once: some clients show a model everything that a result carries.
  if (output === 'text') return { isError: true, content: [{ type: 'text', text }] };
  const wire = {
    code: numericCode(face, error.code),
    name: error.code,
    message: error.message,
    hint: error.hint,
    data: error.data,
  };
  return {
    isError: true,
    content: [{ type: 'text', text: output === 'json' ? visibleJson({ error: wire }) : text }],
    structuredContent: { error: wire },
  };
}

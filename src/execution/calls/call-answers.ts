import type { CallProblem } from '../views/call-error.js';

/*
 * The answers to a batch are one text, a line for each call, in its order: the JSON of the ViewCallResult, or PROBLEM and
 * the JSON of a CallProblem, or FAULT and the JSON of a message. JSON text holds no line break of its own. Where there
 * are fewer lines than calls, the worker stopped early so that others get their turn, and the rest are to be sent again.
 */

const PROBLEM = '!';
const FAULT = '?';

/** What one call came to. */
export type CallAnswer =
  /** The JSON of the ViewCallResult. */
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'problem'; readonly problem: CallProblem }
  /** The node itself is at fault. */
  | { readonly kind: 'fault'; readonly message: string };

export function problemLine(problem: CallProblem): string {
  return PROBLEM + JSON.stringify(problem);
}

export function faultLine(error: unknown): string {
  return FAULT + JSON.stringify(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

export function encodeAnswers(lines: readonly string[]): string {
  return lines.join('\n');
}

/** The lines of a batch's answers. */
export function answerLines(answers: string): string[] {
  return answers.split('\n');
}

export function decodeAnswer(line: string): CallAnswer {
  if (line.startsWith(PROBLEM)) return { kind: 'problem', problem: JSON.parse(line.slice(1)) };
  if (line.startsWith(FAULT)) return { kind: 'fault', message: JSON.parse(line.slice(1)) };
  return { kind: 'result', json: line };
}

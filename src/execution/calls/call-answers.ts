import { errorStack } from '../../base/errors.js';
import type { CallProblem } from '../views/call-error.js';

/*
 * The answers to a batch are one text: a line with what each call cost, in whole microseconds with commas between them; then
 * a line for each call, in its order: the JSON of the ViewCallResult, or PROBLEM and the JSON of a CallProblem, or FAULT and
 * the JSON of a message. JSON text holds no line break of its own. Where there are fewer lines than calls, the worker stopped
 * early so that others get their turn, and the rest are to be sent again.
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
  return FAULT + JSON.stringify(errorStack(error));
}

/** @param costs what each line took, in milliseconds */
export function encodeAnswers(lines: readonly string[], costs: readonly number[]): string {
  return `${costs.map((ms) => Math.round(ms * 1_000)).join(',')}\n${lines.join('\n')}`;
}

/** The answers to a batch. */
export interface BatchAnswers {
  /** One a call, for {@link decodeAnswer}. */
  readonly lines: readonly string[];
  /** What each took, in milliseconds; read only where somebody wants to know. */
  costs(): readonly number[];
}

export function readAnswers(answers: string): BatchAnswers {
  const [costs = '', ...lines] = answers.split('\n');
  return { lines, costs: () => costs.split(',').map((microseconds) => Number(microseconds) / 1_000) };
}

export function decodeAnswer(line: string): CallAnswer {
  if (line.startsWith(PROBLEM)) return { kind: 'problem', problem: JSON.parse(line.slice(1)) };
  if (line.startsWith(FAULT)) return { kind: 'fault', message: JSON.parse(line.slice(1)) };
  return { kind: 'result', json: line };
}

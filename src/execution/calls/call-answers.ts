import { errorStack } from '../../base/errors.js';
import type { CallProblem } from '../views/call-error.js';

/*
 * The results of a batch are one text. The first line has the cost of each call in whole microseconds, separated by
 * commas. One line per call follows, in order: the JSON of the ViewCallResult, or PROBLEM and the JSON of a
 * CallProblem, or FAULT and the JSON of a message. JSON text never contains line breaks. Fewer lines than calls mean
 * that the worker stopped early to yield to others; the remaining calls must be sent again.
 */

const PROBLEM = '!';
const FAULT = '?';

export type CallAnswer =
  /** The JSON of the ViewCallResult. */
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'problem'; readonly problem: CallProblem }
  /** A fault of the node itself. */
  | { readonly kind: 'fault'; readonly message: string };

export function problemLine(problem: CallProblem): string {
  return PROBLEM + JSON.stringify(problem);
}

export function faultLine(error: unknown): string {
  return FAULT + JSON.stringify(errorStack(error));
}

/** @param costs cost of each line's call, in milliseconds */
export function encodeAnswers(lines: readonly string[], costs: readonly number[]): string {
  return `${costs.map((ms) => Math.round(ms * 1_000)).join(',')}\n${lines.join('\n')}`;
}

export interface BatchAnswers {
  /** One per call, for {@link decodeAnswer}. */
  readonly lines: readonly string[];
  /** Cost of each call, in milliseconds; parsed on demand. */
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

import { errorStack } from '../../base/source-positions.js';
import type { CallProblem } from '../views/call-error.js';

/*
 * The results of a batch are one text. The first line has the cost of each call in whole microseconds, separated by
 * commas; those that count their gas add a colon and the gas used. One line per call follows, in order: the JSON
 * of the ViewCallResult, or PROBLEM and the JSON of a CallProblem, or FAULT and the JSON of a message. JSON text never
 * contains line breaks. Fewer lines than calls mean that the worker stopped early to yield to others; the remaining calls
 * must be sent again.
 */

const PROBLEM = '!';
const FAULT = '?';

export type CallAnswer =
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

const NO_GAS: ReadonlyMap<number, bigint> = new Map();

/** @param costs of each line's call, in milliseconds @param gas used by calls, by the index of the line */
export function encodeAnswers(lines: readonly string[], costs: readonly number[], gas = NO_GAS): string {
  const shown: (number | string)[] = costs.map((ms) => Math.round(ms * 1_000));
  for (const [at, used] of gas) shown[at] = `${shown[at]}:${used}`;
  return `${shown.join(',')}\n${lines.join('\n')}`;
}

export interface BatchAnswers {
  /** One per call, for {@link decodeAnswer}. */
  readonly lines: readonly string[];
  /** Cost of each call, in milliseconds; parsed on demand. */
  costs(): readonly number[];
  /** Gas used by each call; NaN for calls that count none. Parsed on demand. */
  gas(): readonly number[];
}

export function readAnswers(answers: string): BatchAnswers {
  const [costs = '', ...lines] = answers.split('\n');
  return {
    lines,
    costs: () => costs.split(',').map((cost) => Number.parseInt(cost, 10) / 1_000),
    gas: () => costs.split(',').map((cost) => Number(cost.split(':')[1])),
  };
}

export function decodeAnswer(line: string): CallAnswer {
  if (line.startsWith(PROBLEM)) return { kind: 'problem', problem: JSON.parse(line.slice(1)) };
  if (line.startsWith(FAULT)) return { kind: 'fault', message: JSON.parse(line.slice(1)) };
  return { kind: 'result', json: line };
}

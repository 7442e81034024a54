/*
 * Makes calls with certain inputs fail without an outcome, as an engine fault would. Preloaded into a node by
 * `--import` in NODE_OPTIONS, it works in all threads.
 */

import { ContractHost } from '../../../src/execution/contract-host.js';

/** How a call goes wrong. */
export type FaultKind =
  /** Throws a value that is not an outcome. */
  | 'throw'
  /** Exits the thread. */
  | 'exit'
  /** Never ends. */
  | 'spin'
  /** Ends the whole process. */
  | 'crash';

const MARK = 'fault:';

/** The input of a call that fails. */
export function faultyInput(kind: FaultKind, number = 0): Uint8Array {
  return Buffer.from(`${MARK}${kind}:${number}`);
}

const { call } = ContractHost.prototype;
ContractHost.prototype.call = function (frame) {
  const [mark, kind] = Buffer.from(frame.input).toString('latin1').split(':');
  if (`${mark}:` === MARK) goWrong(kind);
  return call.call(this, frame);
};

function goWrong(kind: string | undefined): void {
  if (kind === 'throw') throw new RangeError('expected u128, got too much');
  if (kind === 'exit') process.exit(1);
  if (kind === 'crash') process.kill(process.pid, 'SIGKILL');
  while (kind === 'spin' || kind === 'crash');
}

/*
 * Makes calls whose input says so go wrong where no outcome can say it, as a fault of the engine would: preloaded into a
 * node, `--import` in NODE_OPTIONS, it holds in all its threads.
 */

import { ContractHost } from '../../src/execution/contract-host.js';

/** How a call goes wrong. */
export type FaultKind =
  /** Something is thrown that is no outcome. */
  | 'throw'
  /** The thread ends. */
  | 'exit'
  /** It never ends. */
  | 'spin'
  /** The whole process ends. */
  | 'crash';

const MARK = 'fault:';

/** The input of a call that goes wrong. */
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

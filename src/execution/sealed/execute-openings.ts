import type { Crypto } from '../../crypto/crypto.js';
import { envelopeName } from '../../ledger/state-keys.js';
import type { OpeningDetails } from '../../ledger/stored-receipt.js';
import type { BlockEnvironment } from '../block-environment.js';
import { BlockExecution, type UnsettledBlock } from '../block-execution.js';
import type { ContractMachine } from '../contract-machine.js';
import type { SharedWrites } from '../pending-writes.js';
import type { StateSource } from '../state-source.js';
import { openingOf } from './opening.js';
import { schedule } from './opening-schedule.js';

/** What the keys of a block open. */
export interface OpeningsInput {
  /** The pending blocks that the block is on; absent on the last committed one. */
  readonly branch?: readonly SharedWrites[];
  readonly env: BlockEnvironment;
  readonly heights: readonly OpenedHeight[];
  /** Where the worker says, by its place from 1 on, which envelope it executes; shared with who waits. */
  readonly progress?: Int32Array;
}

/** A height with all of its envelopes, in the order of their inclusion. */
export interface OpenedHeight {
  readonly height: bigint;
  readonly openings: readonly OpeningDetails[];
}

/** Sent by the executor of blocks. */
export interface OpeningTasks {
  /** What is executed before the transactions of a block. */
  execute_openings: { readonly input: OpeningsInput; readonly result: UnsettledBlock };
}

/**
 * Executes what envelopes held, one after another, as the first part of a block; their records leave the state.
 * @param source the state after the block that it is on
 */
export function executeOpenings(
  { env, heights, progress }: OpeningsInput,
  source: StateSource,
  crypto: Crypto,
  machine: ContractMachine,
): UnsettledBlock {
  const execution = new BlockExecution(env, source, machine);
  let place = 0;
  for (const { height, openings } of heights) {
    for (const [order, details] of openings.entries()) {
      place++;
      if (progress !== undefined) Atomics.store(progress, 0, place);
      execution.executeOpening(openingOf(details, crypto));
      execution.state.writeRecord(envelopeName(height, order), undefined);
    }
    schedule(execution.state, { height, count: 0, gas: 0n });
  }
  return execution.finishUnsettled();
}

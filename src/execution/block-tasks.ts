import type { Crypto } from '../crypto/crypto.js';
import { envelopeName } from '../ledger/state-keys.js';
import type { OpeningDetails } from '../ledger/stored-receipt.js';
import { transactionFromItem } from '../ledger/transaction-envelope.js';
import { atomicGroupsOf } from './atomic-groups.js';
import { BlockExecution, type PriorUsage, type UnsettledBlock } from './block-execution.js';
import { type PackedBlock, type PackedCandidates, packBlock, unpackCandidates } from './block-wire.js';
import type { ContractMachine } from './contract-machine.js';
import type { BlockOnBranch } from './pending-writes.js';
import { openingOf } from './sealed/opening.js';
import { unschedule } from './sealed/opening-schedule.js';
import type { StateSource } from './state-source.js';
import type { TaskOf } from './task-runner.js';

export interface OpeningsInput extends BlockOnBranch {
  readonly heights: readonly OpenedHeight[];
  /** Shared: the worker stores the number of the current envelope here, counted from 1. */
  readonly progress?: Int32Array;
}

/** A height with all its envelopes, in the order of their inclusion. */
export interface OpenedHeight {
  readonly height: bigint;
  readonly openings: readonly OpeningDetails[];
}

/** Executes the contents of envelopes in order, as the first part of a block, and removes their records. */
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
    unschedule(execution.state, height);
  }
  return execution.finishUnsettled();
}

export interface ExecuteBlockInput extends BlockOnBranch {
  /** Gas and tips of the block's openings, which are part of the branch. */
  readonly before?: PriorUsage;
  /** Candidates with verified signatures. */
  readonly candidates: PackedCandidates;
}

/** Sent by the block executor. */
export interface BlockTasks {
  execute_openings: TaskOf<OpeningsInput, UnsettledBlock>;
  /** A block with contract calls. */
  execute_block: TaskOf<ExecuteBlockInput, PackedBlock>;
}

/** Executes a block in a worker, one transaction after another. */
export function executeBlock(
  { env, before, candidates }: ExecuteBlockInput,
  source: StateSource,
  crypto: Crypto,
  machine: ContractMachine,
): PackedBlock {
  const execution = new BlockExecution(env, source, machine, before);
  const { transactions: encoded, bundles } = unpackCandidates(candidates);
  const transactions = encoded.map((item) => transactionFromItem(item, crypto));
  for (const group of atomicGroupsOf({ transactions, bundles })) execution.add(group);
  return packBlock(execution.finish());
}

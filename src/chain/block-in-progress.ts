import type { Candidates } from '../execution/atomic-groups.js';
import type { BlockExecution, ExcludedCandidate, ExecutedBlock } from '../execution/block-execution.js';
import type { ParallelStatistics } from '../execution/parallel/statistics.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { DrawRoom } from '../mempool/draw/block-draw.js';

/** Executes candidates and adds them to a block. @param offset number of those that it has already */
export type AddCandidates = (
  block: BlockExecution,
  candidates: Candidates<VerifiedTransaction>,
  offset: number,
) => Promise<ParallelStatistics | undefined>;

export type BlockRoom = Omit<DrawRoom, 'expectedGas'>;

/** A block built in several waves. Candidate positions continue from wave to wave. */
export class BlockInProgress {
  readonly #block: BlockExecution;
  readonly #add: AddCandidates;
  #candidates = 0;
  #parallel: ParallelStatistics | undefined;

  constructor(block: BlockExecution, add: AddCandidates) {
    this.#block = block;
    this.#add = add;
  }

  get room(): BlockRoom {
    const { gasLeft, bundleGas } = this.#block;
    return { gasLeft, bundleGas };
  }

  /** Executes the next candidates. @returns those that were left out */
  async add(candidates: Candidates<VerifiedTransaction>): Promise<readonly ExcludedCandidate[]> {
    const before = this.#block.excluded.length;
    const parallel = await this.#add(this.#block, candidates, this.#candidates);
    this.#candidates += candidates.transactions.length;
    if (parallel !== undefined) this.#parallel = mergeStatistics(this.#parallel, parallel);
    return this.#block.excluded.slice(before);
  }

  /** Settles the fees; nothing can be added afterwards. */
  finish(): ExecutedBlock {
    const executed = this.#block.finish();
    return this.#parallel === undefined ? executed : { ...executed, parallel: this.#parallel };
  }
}

function mergeStatistics(a: ParallelStatistics | undefined, b: ParallelStatistics): ParallelStatistics {
  if (a === undefined) return b;
  const workMs = a.workMs + b.workMs;
  const elapsedMs = a.elapsedMs + b.elapsedMs;
  return {
    units: a.units + b.units,
    groups: a.groups + b.groups,
    reruns: a.reruns + b.reruns,
    rounds: a.rounds + b.rounds,
    wastedGas: a.wastedGas + b.wastedGas,
    workMs,
    elapsedMs,
    speedUp: elapsedMs === 0 ? 0 : workMs / elapsedMs,
  };
}

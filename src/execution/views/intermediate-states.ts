import type { TransactionPosition } from '../../ledger/position-index.js';
import { rawOf } from '../../storage/state.js';
import type { BlockEnvironment } from '../block-environment.js';
import { type ReexecutionParts, reexecute } from '../sealed/reexecute.js';
import type { StateSource } from '../state-source.js';
import { WorldState } from '../world-state.js';

/** A block executed again up to some transaction. */
interface Position {
  readonly height: bigint;
  readonly state: WorldState;
  /** Index of the last executed transaction. */
  index: number;
}

/** Number of cached positions. They let requests for consecutive transactions of a block execute it only once. */
const KEPT = 8;

/** Provides the states between the transactions of a block, by executing the block again up to there. */
export class IntermediateStates {
  readonly #parts: ReexecutionParts;
  /** Least recently used first. */
  #kept: Position[] = [];

  constructor(parts: ReexecutionParts) {
    this.#parts = parts;
  }

  /**
   * Returns the state right after a transaction, valid until the next call.
   * @param env of the transaction's block
   * @param parent the state that the block was executed on
   */
  after(place: TransactionPosition, env: BlockEnvironment, parent: StateSource): StateSource {
    const position = this.#nearest(place) ?? {
      height: place.height,
      state: new WorldState(parent),
      index: -1,
    };
    this.#kept = this.#kept.filter((other) => other !== position);
    // If a transaction throws, the position is not put back: its state is unknown.
    if (position.index < place.index) this.#advance(position, place, env);
    this.#kept.push(position);
    if (this.#kept.length > KEPT) this.#kept.shift();
    return sourceOf(position.state);
  }

  /** Returns the cached position closest to the place and not beyond it. */
  #nearest({ height, index }: TransactionPosition): Position | undefined {
    let nearest: Position | undefined;
    for (const position of this.#kept) {
      if (position.height !== height || position.index > index) continue;
      if (nearest === undefined || position.index > nearest.index) nearest = position;
    }
    return nearest;
  }

  #advance(position: Position, place: TransactionPosition, env: BlockEnvironment): void {
    const { blocks, machine, crypto } = this.#parts;
    const { height } = place;
    const subjects = blocks.subjects(height);
    const context = { state: position.state, env, machine, crypto };
    for (let index = position.index + 1; index <= place.index; index++) {
      reexecute({ height, index }, subjects[index], context);
    }
    position.index = place.index;
  }
}

/** Converts a state to the source of another one. Its entries have no keys: states above it are never stored. */
function sourceOf(state: WorldState): StateSource {
  return {
    account: (address) => ({ key: NO_KEY, raw: undefined, record: state.account(address) }),
    slot: (contract, slot) => {
      const value = state.slot(contract, slot);
      // The height is never read.
      return { key: NO_KEY, raw: value === undefined ? undefined : rawOf(0n, value) };
    },
    record: (name) => {
      const value = state.record(name);
      return { key: NO_KEY, raw: value === undefined ? undefined : rawOf(0n, value) };
    },
    code: (hash) => state.code(hash),
  };
}

const NO_KEY = new Uint8Array(0);

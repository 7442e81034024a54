import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckpointDescriptor } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { Checkpoints } from '../../sync/checkpoints.js';
import type { CheckpointAnswer } from './control-protocol.js';

/** Time after which an unfinished cut is answered, so that the command knows that the node is alive. */
const ANSWER_MS = 1_000;

export interface CheckpointParts {
  readonly checkpoints: Pick<Checkpoints, 'cutAt'>;
  readonly tipHeight: () => bigint;
}

/** Cuts checkpoints for the operator's commands, which repeat their request until the cut is done. */
export class CheckpointRequests {
  readonly #parts: () => CheckpointParts | undefined;
  readonly #cuts = new Map<bigint, Promise<CheckpointDescriptor>>();

  /** @param parts returns undefined on a node without a chain */
  constructor(parts: () => CheckpointParts | undefined) {
    this.#parts = parts;
  }

  /** @param height default: the tip's. @throws SnapshotError; Error on a node without a chain */
  async cut(height: bigint | undefined): Promise<CheckpointAnswer> {
    const parts = this.#parts();
    if (parts === undefined) throw new Error('the node has no chain yet');
    const at = height ?? parts.tipHeight();
    let cut = this.#cuts.get(at);
    if (cut === undefined) {
      cut = parts.checkpoints.cutAt(at);
      this.#cuts.set(at, cut);
    }
    const ended = cut.then(
      () => true,
      () => true,
    );
    if (!(await Promise.race([ended, sleep(ANSWER_MS, false, { ref: false })]))) {
      return { state: 'cutting', height: String(at) };
    }
    this.#cuts.delete(at);
    const { entries, chunk_count, state_root } = await cut;
    const root = toHex(state_root);
    return { state: 'done', height: `${at}`, entries: `${entries}`, chunk_count, state_root: root };
  }
}

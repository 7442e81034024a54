import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readIdentityFile } from '../../../src/consensus/files/identity-file.js';
import { validatorPaths } from '../../../src/consensus/files/validator-directory.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { MeshFloodTask } from './mesh-flood-worker.js';
import type { ValidatorNet } from './validator-net.js';

/** Results of a flood. */
export interface MeshFloodCounts {
  /** Bytes written. */
  readonly sent: number;
  readonly connections: number;
}

/** A validator of a net that only floods others. */
export class MeshFlood {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /**
   * @param as index of the identity to use; its node must not run
   * @param what the chunk to send, undefined to burn CPU time instead, and the number of times per connection
   */
  static async begin(
    net: ValidatorNet,
    as: number,
    targets: readonly number[],
    what: Pick<MeshFloodTask, 'chunk' | 'times'>,
  ): Promise<MeshFlood> {
    const crypto = await loadCrypto('auto');
    const { seed } = await readIdentityFile(crypto, validatorPaths(net.directory(as)).identity);
    const client = net.client(targets[0] ?? 0);
    const { chain_id } = await client.status();
    const [first] = (await client.get_blocks({ from_height: 1n, to_height: 1n })).blocks;
    assert.ok(first !== undefined);
    const task: MeshFloodTask = {
      ...what,
      seed,
      chainId: chain_id,
      chain: first.header.parent_hash,
      ports: targets.map((index) => net.port(index)),
    };
    return new MeshFlood(
      new Worker(new URL('./mesh-flood-worker.js', import.meta.url), { workerData: task }),
    );
  }

  async end(): Promise<MeshFloodCounts> {
    this.#worker.postMessage('end');
    const [counts] = (await once(this.#worker, 'message')) as [MeshFloodCounts];
    await this.#worker.terminate();
    return counts;
  }
}

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readPeersFile } from '../../../../src/consensus/files/peers-file.js';
import { validatorPaths } from '../../../../src/consensus/files/validator-directory.js';
import type { ValidatorNet } from '../validator-net.js';
import type { AttackTask } from './attack-worker.js';
import type { AttackName } from './attacks.js';
import type { AttackCounts } from './rogue.js';

export interface AttackOptions {
  /** Connections to each victim, one after another; default 1,000. */
  readonly maxConnections?: number;
}

/** A validator of a net whose node does not run: its keys attack the others over their mesh. */
export class AttackingValidator {
  readonly #worker: Worker;
  readonly #counts: Promise<AttackCounts>;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#counts = once(worker, 'message').then(([counts]) => counts as AttackCounts);
  }

  /**
   * Resolves once the attack has sent something.
   * @param as the validator whose keys to use; all running validators are attacked
   */
  static async begin(
    net: ValidatorNet,
    as: number,
    attacks: readonly AttackName[],
    { maxConnections = 1_000 }: AttackOptions = {},
  ): Promise<AttackingValidator> {
    const directory = net.directory(as);
    const peers = readPeersFile(validatorPaths(directory).peers);
    const client = net.client(net.running[0] ?? assert.fail('no validator runs'));
    const { chain_id: chainId } = await client.status();
    const [first] = (await client.get_blocks({ from_height: 1n, to_height: 1n })).blocks;
    const victims = net.running.map((index) => ({
      index,
      port: net.port(index),
      identityKey: peers[index]?.identity_key ?? assert.fail(`there is no validator ${index}`),
    }));
    const task: AttackTask = {
      attacks,
      directory,
      chainId,
      victims,
      maxConnections,
      chain: first?.header.parent_hash ?? assert.fail('there is no block 1'),
    };
    const worker = new Worker(new URL('./attack-worker.js', import.meta.url), { workerData: task });
    await once(worker, 'message');
    return new AttackingValidator(worker);
  }

  /** Ends the attack and all its connections; may be called again for the counts. */
  async end(): Promise<AttackCounts> {
    this.#worker.postMessage('end');
    const counts = await this.#counts;
    await this.#worker.terminate();
    return counts;
  }
}

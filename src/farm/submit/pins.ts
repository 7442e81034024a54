import { LRUCache } from 'lru-cache';
import { formatHash } from '../../client/client.js';
import type { BlockRef } from '../../generated/node-rpc-v1.js';
import { FarmError } from '../farm-error.js';
import type { FarmNode } from '../node/farm-node.js';
import type { Pin } from '../run/run-record.js';

/** Resolves references to blocks to a height and a hash that never change, with a node's answers. */
export class Pins {
  readonly #node: FarmNode;
  readonly #known = new LRUCache<string, Pin>({ max: 10_000 });

  constructor(node: FarmNode) {
    this.#node = node;
  }

  /**
   * The block of a reference.
   * @param at `latest` and `finalized` mean the block at this moment
   * @throws NodeAwayError, also if there is no such block; FarmError node, if an answer makes no sense
   */
  async resolve(at: BlockRef): Promise<Pin> {
    switch (at.type) {
      case 'latest':
      case 'finalized':
        return this.#newest(at.type);
      case 'height':
        return this.#cached(`${at.value}`, () => this.#byHeight(at.value));
      case 'hash':
        return this.#cached(formatHash(at.value), async () => ({
          height: `${await this.#node.heightOf(at.value)}`,
          hash: formatHash(at.value),
        }));
      case 'after_tx':
        throw new FarmError('bad_input', 'expected a block, got a place inside one');
    }
  }

  async #newest(which: 'latest' | 'finalized'): Promise<Pin> {
    const { tip, finalized_height: finalized } = await this.#node.ask((client) => client.status());
    return this.#byHeight(which === 'latest' ? tip.height : finalized);
  }

  async #cached(key: string, find: () => Promise<Pin>): Promise<Pin> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const pin = await find();
    this.#known.set(key, pin);
    return pin;
  }

  async #byHeight(height: bigint): Promise<Pin> {
    const range = { from_height: height, to_height: height };
    const { blocks } = await this.#node.ask((client) => client.get_block_summaries(range));
    const [block] = blocks;
    if (block === undefined)
      throw new FarmError('node', `${this.#node.name}: the answer lacks block ${height}`);
    return { height: `${height}`, hash: formatHash(block.hash) };
  }
}

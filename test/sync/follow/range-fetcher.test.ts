// Followers, and sources that answer `status` at once but delay or withhold blocks.

import assert from 'node:assert/strict';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainTip } from '../../../src/chain/committed-chain.js';
import { connect } from '../../../src/client/client.js';
import type { Log } from '../../../src/config/log.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type {
  Block,
  FinalizedHistoryRootArgs,
  FinalizedHistoryRootResult,
  GetBlocksArgs,
  Status,
} from '../../../src/generated/node-rpc-v1.js';
import { RangeFetcher } from '../../../src/sync/follow/range-fetcher.js';
import { Source } from '../../../src/sync/follow/source.js';
import { SourceError } from '../../../src/sync/follow/source-error.js';
import type { SourceMethod, SourceParams, SourceResult } from '../../../src/sync/follow/source-methods.js';
import { SourceSet } from '../../../src/sync/follow/source-set.js';
import { NATIVE } from '../../support/native-modes.js';
import { withInProcessNode } from '../../support/nodes/in-process-node.js';

const BLOCKS = 80;
const quiet = () => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** From genesis on. */
let blocks: readonly Block[];
let status: Status;
let proofs: readonly FinalizedHistoryRootResult[];

before(async () => {
  await withInProcessNode({ native: NATIVE, workers: 1 }, async (node) => {
    const client = connect(node.url);
    for (let block = 0; block < BLOCKS; block++) await node.sealNow(1_800_000_000_000 + block * 1_000);
    blocks = (await client.get_blocks({ from_height: 0n, to_height: BigInt(BLOCKS) })).blocks;
    status = await client.status();
    proofs = await Promise.all(
      blocks.map(({ header: { height } }) => client.finalized_history_root({ height })),
    );
  });
  assert.equal(blocks.length, BLOCKS + 1);
});

interface Behaviour {
  /** Maximum number of blocks in one answer; default: all requested. */
  readonly most?: number;
  /** Delay of blocks in milliseconds; default none. */
  readonly afterMs?: number;
  /** The height that the source claims; default: the chain's. */
  readonly height?: () => number;
  /** True if the source has another block at its tip and never proves it. */
  readonly isElsewhere?: boolean;
}

/** A source that answers from {@link blocks}. */
class FakeSource extends Source {
  isDown = false;
  /** Number of `get_blocks` requests. */
  asked = 0;
  cancelled = 0;
  readonly #behaviour: Behaviour;

  constructor(index: number, behaviour: Behaviour) {
    super({ url: `http://source-${index}`, index, log, now: Date.now, random: () => 0 });
    this.#behaviour = behaviour;
  }

  override async ask<M extends SourceMethod>(
    method: M,
    params: SourceParams<M>,
    signal: AbortSignal,
  ): Promise<SourceResult<M>> {
    return (await this.#answer(method, params, signal)) as SourceResult<M>;
  }

  async #answer(method: SourceMethod, params: object, signal: AbortSignal): Promise<unknown> {
    if (this.isDown) {
      const error = new SourceError('unreachable', 'it is down');
      this.recordFault(error, method);
      throw error;
    }
    if (method === 'status') return this.#status();
    if (method === 'get_blocks') return this.#blocks(params as GetBlocksArgs, signal);
    assert.equal(method, 'finalized_history_root');
    if (this.#behaviour.isElsewhere === true) await sleep(60_000, undefined, { signal });
    return proofs[Number((params as FinalizedHistoryRootArgs).height)];
  }

  #status(): Status {
    const { height = () => BLOCKS, isElsewhere = false } = this.#behaviour;
    const at = Math.min(BLOCKS, height());
    const { hash } = blocks[at] ?? assert.fail();
    const tip = { ...status.tip, height: BigInt(at), hash: isElsewhere ? new Uint8Array(32) : hash };
    return { ...status, tip };
  }

  async #blocks({ from_height, to_height }: GetBlocksArgs, signal: AbortSignal) {
    const [from, to] = [Number(from_height), Number(to_height)];
    this.asked++;
    const { most = to - from + 1, afterMs = 0 } = this.#behaviour;
    signal.addEventListener('abort', () => this.cancelled++);
    if (afterMs > 0) await sleep(afterMs, undefined, { signal });
    return { blocks: blocks.slice(from, Math.min(to + 1, from + most)) };
  }
}

async function following(t: TestContext, behaviours: readonly Behaviour[]) {
  const crypto = await loadCrypto('auto', () => undefined);
  const sources = behaviours.map((behaviour, index) => new FakeSource(index, behaviour));
  const set = new SourceSet({
    sources,
    pollMs: 10,
    checkHead: () => undefined,
    onFailure: (error) => assert.fail(error),
  });
  let tip: ChainTip = blocks[0] ?? assert.fail();
  const fetcher = new RangeFetcher({
    sources: set,
    rules: {
      crypto,
      chainId: status.chain_id,
      validatorsHash: () => undefined,
      certifiedBlock: async (block) => block,
    },
    hashAt: (height) => (height > tip.header.height ? undefined : blocks[Number(height)]?.hash),
    checkpointInterval: 0n,
    now: Date.now,
  });
  set.start();
  t.after(() => set.stop());
  await set.firstRound();
  const reach = async (height: number) => {
    while (tip.header.height < height) tip = (await fetcher.next(tip)).end;
  };
  return { sources, reach, height: () => Number(tip.header.height) };
}

describe('a follower', () => {
  test('leaves a source that sends few blocks slowly, and returns to it if there is no other', async (t) => {
    const { sources, reach, height } = await following(t, [{ most: 1, afterMs: 1_000 }, {}]);
    const [slow, good] = [sources[0] ?? assert.fail(), sources[1] ?? assert.fail()];
    await reach(40);
    assert.equal(slow.asked, 1, 'once, before it was measured');
    assert.equal(slow.cancelled, 1, 'the other one had the blocks in the meantime');
    assert.ok(good.asked >= 2);
    const left = height();
    assert.ok(left < BLOCKS);
    good.isDown = true;
    await reach(left + 1);
    assert.equal(height(), left + 1);
    assert.ok(slow.asked > 1);
  });

  test('leaves a source that sends one block at a time when asked for many', async (t) => {
    // Equally long, so that one late measurement does not outweigh 32 blocks to one.
    const { sources, reach } = await following(t, [{ most: 1, afterMs: 300 }, { afterMs: 300 }]);
    await reach(BLOCKS);
    assert.ok((sources[0]?.asked ?? 0) <= 3, `${sources[0]?.asked} times`);
  });

  test('prefers the source with more of the next blocks to one that is always a block ahead', async (t) => {
    let own = 0;
    const { sources, reach, height } = await following(t, [{ height: () => own + 1 }, {}]);
    for (let at = 1; at <= BLOCKS; at = own + 1) {
      await reach(at);
      own = height();
    }
    const [near, far] = sources;
    assert.ok((near?.asked ?? 0) <= 2, `${near?.asked} times`);
    assert.ok((far?.asked ?? 0) < BLOCKS / 4, `${far?.asked} times`);
  });

  test('is not delayed by a source that does not prove its tip', async (t) => {
    const elsewhere = { isElsewhere: true, height: () => 3 };
    const { sources, reach } = await following(t, [elsewhere, {}]);
    await reach(BLOCKS);
    assert.ok((sources[0]?.asked ?? 0) <= 2);
  });

  test('gets its blocks from the one good source among several slow ones', async (t) => {
    const slow = { most: 1, afterMs: 30_000 };
    const { sources, reach } = await following(t, [slow, slow, slow, {}]);
    await reach(BLOCKS);
    for (const { asked } of sources.slice(0, 3)) assert.equal(asked, 1);
  });
});

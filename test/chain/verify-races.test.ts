// Verifications, commits and proposals that run concurrently, or are aborted.

import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, mock, test } from 'node:test';
import type { EncodedBlock } from '../../src/chain/decode-block.js';
import { MAX_PENDING_BLOCKS, type PendingBlock } from '../../src/chain/pending-blocks.js';
import type { BlockVerdict } from '../../src/chain/verify-block.js';
import { ExecutionError } from '../../src/execution/execution-error.js';
import { ledger } from '../../src/ledger/codecs.js';
import { StoreError } from '../../src/storage/store-error.js';
import { encodedBody } from '../support/worlds/block-transfer.js';
import { ChainWorld } from '../support/worlds/chain-world.js';

/** Blocks of another world on the same genesis. */
interface Others {
  /** With one transfer. */
  readonly block: PendingBlock;
  readonly parent: PendingBlock;
  /** On `parent`, with one transfer. */
  readonly child: PendingBlock;
  /** Of high views. */
  readonly late: readonly PendingBlock[];
}

let others: Others;
let world: ChainWorld;
before(async () => {
  others = await blocksOfOthers();
});
beforeEach(async () => {
  world = await ChainWorld.open();
});
afterEach(async () => {
  mock.restoreAll();
  // In every case the proof worker holds exactly the pending blocks.
  assert.equal(world.strayRoots, 0);
  await world.remove();
});

async function blocksOfOthers(): Promise<Others> {
  const source = await ChainWorld.open();
  try {
    const parent = await source.propose();
    const late = [await source.propose({ view: 1_000n }), await source.propose({ view: 1_001n })];
    source.submit(source.transaction());
    const [block, child] = [await source.propose(), await source.propose({ parent: parent.hash })];
    for (const { transactions } of [block, child]) assert.equal(transactions.length, 1);
    return { block, parent, child, late };
  } finally {
    await source.remove();
  }
}

function encoded({ header, items }: PendingBlock): EncodedBlock {
  return {
    header: ledger.BlockHeader.encode(header),
    body: encodedBody(items.map((item) => ledger.BlockItem.decode(item))),
  };
}

/** Verifies a block of others in `world`. */
function verify(block: PendingBlock, signal?: AbortSignal): Promise<BlockVerdict> {
  const { parent_hash: parent, epoch, view, proposer } = block.header;
  return world.blockChain.verify(encoded(block), { parent, epoch, view, proposer }, signal);
}

/** Holds work until the gate is opened. */
class Gate {
  readonly #reached: Promise<void>;
  readonly #opened: Promise<void>;
  #reach: () => void = () => undefined;
  /** Resumes the held work. */
  open: () => void = () => undefined;

  constructor() {
    this.#reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
    this.#opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  /** Resolves once work is held. */
  get reached(): Promise<void> {
    return this.#reached;
  }

  async wait(): Promise<void> {
    this.#reach();
    await this.#opened;
  }
}

/** Holds the next block in `world` before or after its execution. */
function holdExecution(when: 'before' | 'after'): Gate {
  const gate = new Gate();
  const { executor } = world;
  const execute = executor.executeDecided.bind(executor);
  mock.method(executor, 'executeDecided', async (...given: Parameters<typeof execute>) => {
    if (when === 'before') await gate.wait();
    const executed = await execute(...given);
    if (when === 'after') await gate.wait();
    return executed;
  });
  return gate;
}

/** Holds the next block in `world` before the proof worker gets it, or after the worker has answered. */
function holdRoots(when: 'before' | 'after'): Gate {
  const gate = new Gate();
  const { roots } = world;
  const blockRoots = roots.blockRoots.bind(roots);
  mock.method(roots, 'blockRoots', async (...given: Parameters<typeof blockRoots>) => {
    if (when === 'before') await gate.wait();
    const answer = await blockRoots(...given);
    if (when === 'after') await gate.wait();
    return answer;
  });
  return gate;
}

/** Stages at which a block's verification is held while a competing block is committed. */
const HOLDS = [
  ['before it is executed', () => holdExecution('before')],
  ['while it is executed', () => holdExecution('after')],
  ['before its roots are asked for', () => holdRoots('before')],
  ['while its roots are computed', () => holdRoots('after')],
] as const;

describe('one block verified twice at the same time', () => {
  test('is pending once, and the roots of one of the two are dropped', async () => {
    const { block } = others;
    const [one, other] = await Promise.all([verify(block), verify(block)]);
    assert.ok(one.verdict === 'valid' && other.verdict === 'valid');
    assert.equal(one.block, other.block);
    assert.equal(world.pending.size, 1);
    assert.equal(world.roots.dropped.length, 1);
    assert.notEqual(world.roots.dropped[0], one.block.roots.id);
    await world.blockChain.commit(block.hash);
    assert.equal(world.roots.open.size, 0);
  });
});

describe('a sibling of the parent is committed', () => {
  for (const [when, hold] of HOLDS) {
    test(`${when}: the block has no verdict`, async () => {
      const { parent, child: block } = others;
      assert.equal((await verify(parent)).verdict, 'valid');
      const sibling = await world.propose({ view: 50n });
      const gate = hold();
      const verifying = verify(block);
      await gate.reached;
      await world.blockChain.commit(sibling.hash);
      gate.open();
      assert.deepEqual(await verifying, { verdict: 'unknown_parent' });
      assert.equal(world.pending.size, 0);
    });
  }
});

describe('another block of its height is committed', () => {
  for (const [when, hold] of HOLDS) {
    test(`${when}: a block on the tip has no verdict`, async () => {
      const { block } = others;
      const other = await world.propose({ view: 50n });
      const gate = hold();
      const verifying = verify(block);
      await gate.reached;
      await world.blockChain.commit(other.hash);
      gate.open();
      assert.deepEqual(await verifying, { verdict: 'unknown_parent' });
      assert.equal(world.pending.size, 0);
    });
  }

  test('the roots of a proposal are being computed: the proposal fails', async () => {
    const other = await world.propose({ view: 50n });
    const gate = holdRoots('after');
    const proposing = world.propose();
    await gate.reached;
    await world.blockChain.commit(other.hash);
    gate.open();
    await assert.rejects(proposing, { code: 'unknown_parent' });
    assert.equal(world.pending.size, 0);
  });
});

describe('the parent is committed', () => {
  for (const [when, hold] of HOLDS) {
    test(`${when}: the block is still valid`, async () => {
      const { parent, child: block } = others;
      assert.equal((await verify(parent)).verdict, 'valid');
      const gate = hold();
      const verifying = verify(block);
      await gate.reached;
      await world.blockChain.commit(parent.hash);
      gate.open();
      assert.equal((await verifying).verdict, 'valid');
      assert.equal(world.pending.size, 1);
      await world.blockChain.commit(block.hash);
      assert.deepEqual(world.chain.tip.hash, block.hash);
    });
  }
});

test('the parent of a proposal is committed before its roots are requested: the proposal is pending', async () => {
  const parent = await world.propose();
  const gate = holdRoots('before');
  const proposing = world.propose({ parent: parent.hash });
  await gate.reached;
  await world.blockChain.commit(parent.hash);
  gate.open();
  const block = await proposing;
  await world.blockChain.commit(block.hash);
  assert.deepEqual(world.chain.tip.hash, block.hash);
});

test('with room for one block, one of two concurrent blocks is pending', async () => {
  for (let view = 1n; view < MAX_PENDING_BLOCKS; view++) await world.propose({ view });
  const verdicts = await Promise.all(others.late.map((block) => verify(block)));
  assert.deepEqual(verdicts.map(({ verdict }) => verdict).sort(), ['valid', 'withheld']);
  assert.equal(world.pending.size, MAX_PENDING_BLOCKS);
});

describe('a commit after another one', () => {
  test('a block and its child: each is committed once, in order', async () => {
    const parent = await world.propose();
    const child = await world.propose({ parent: parent.hash });
    const heights: bigint[] = [];
    world.chain.onCommit('pruning', ({ header }) => heights.push(header.height));
    const commits: (number | string)[] = [];
    for (const { hash } of [child, parent, child]) commits.push(await settled(hash));
    assert.deepEqual(commits, [2, 'unknown_block', 0]);
    assert.deepEqual(heights, [1n, 2n]);
    assert.equal(world.roots.open.size, 0);
  });

  test('two blocks of one height: the first is final, the second is refused', async () => {
    const [one, other] = [await world.propose(), await world.propose({ view: 50n })];
    assert.deepEqual([await settled(one.hash), await settled(other.hash)], [1, 'unknown_block']);
    assert.deepEqual(world.chain.tip.hash, one.hash);
    assert.equal(world.roots.open.size, 0);
  });

  /** Number of blocks that a commit wrote, or its error code. */
  async function settled(hash: Uint8Array): Promise<number | string> {
    try {
      return (await world.blockChain.commit(hash)).length;
    } catch (error) {
      if (error instanceof Error && 'code' in error) return String(error.code);
      throw error;
    }
  }
});

describe('an abort signal', () => {
  const reason = new Error('no longer wanted');

  test('during execution ends a verification and leaves nothing of the block', async () => {
    const { block } = others;
    const controller = new AbortController();
    const gate = holdExecution('after');
    const blockRoots = mock.method(world.roots, 'blockRoots');
    const verifying = verify(block, controller.signal);
    await gate.reached;
    controller.abort(reason);
    gate.open();
    await assert.rejects(verifying, reason);
    assert.equal(world.pending.size, 0);
    assert.equal(blockRoots.mock.callCount(), 0);
  });

  test('while signatures are checked ends a verification before anything runs', async () => {
    const { block } = others;
    const controller = new AbortController();
    const execute = mock.method(world.executor, 'executeDecided');
    const verifying = verify(block, controller.signal);
    controller.abort(reason);
    await assert.rejects(verifying, reason);
    assert.equal(execute.mock.callCount(), 0);
    assert.equal(world.pending.size, 0);
  });

  test('during execution ends a proposal, and its transactions can be drawn again', async () => {
    const controller = new AbortController();
    const { executor } = world;
    const open = executor.open.bind(executor);
    mock.method(
      executor,
      'open',
      (...given: Parameters<typeof open>) => {
        controller.abort(reason);
        return open(...given);
      },
      { times: 1 },
    );
    await proposalFails(controller.signal);
  });

  test('while the roots are computed ends a proposal, and its transactions can be drawn again', async () => {
    const controller = new AbortController();
    const gate = holdRoots('after');
    const failing = proposalFails(controller.signal);
    await gate.reached;
    controller.abort(reason);
    gate.open();
    await failing;
  });

  async function proposalFails(signal: AbortSignal): Promise<void> {
    const transaction = world.transaction();
    world.submit(transaction);
    await assert.rejects(world.blockChain.propose(world.context(), signal), reason);
    assert.equal(world.pending.size, 0);
    assert.equal(world.strayRoots, 0);
    mock.restoreAll();
    const { transactions } = await world.propose();
    assert.deepEqual(
      transactions.map(({ hashHex }) => hashHex),
      [transaction.hashHex],
    );
  }
});

describe('an executor error', () => {
  function throwing(error: Error): void {
    mock.method(world.executor, 'executeDecided', () => Promise.reject(error), { times: 1 });
  }

  test('withholds the verdict, and the block can be verified later', async () => {
    const { block } = others;
    const cause = new RangeError('out of stack');
    throwing(cause);
    assert.deepEqual(await verify(block), { verdict: 'withheld', reason: 'out of stack', cause });
    assert.equal(world.pending.size, 0);
    assert.equal((await verify(block)).verdict, 'valid');
  });

  for (const error of [
    new StoreError('read_failed', 'the disk is gone'),
    new ExecutionError('stopped', 'the node is stopping'),
    new ExecutionError('worker_died', 'no store', { cause: new StoreError('read_failed', 'gone') }),
  ]) {
    test(`is rethrown if the block is not its cause: ${error.message}`, async () => {
      const { block } = others;
      throwing(error);
      await assert.rejects(verify(block), error);
      assert.equal(world.pending.size, 0);
    });
  }
});

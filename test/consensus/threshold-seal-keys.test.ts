import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { NODE_RUNTIME } from '../../src/async/runtime.js';
import { sameBytes } from '../../src/base/same-bytes.js';
import type { Log } from '../../src/config/log.js';
import type { ThresholdSigner } from '../../src/consensus/shell/threshold-signatures.js';
import { type SealEpoch, ThresholdSealKeys } from '../../src/consensus/threshold-seal-keys.js';
import { sealIdentity } from '../../src/crypto/sealing/seal-identity.js';
import type { SealShare } from '../../src/generated/mesh.js';

const CHAIN_ID = 7n;
const QUORUM = 3;
const VALIDATORS = 4;
const REPEAT_MS = 1_000;

/** A mock signature: the same parts give the same bytes. */
function mark(...parts: readonly (string | bigint | number | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(typeof part === 'object' ? part : `${part} `);
  return Uint8Array.from(Buffer.concat([hash.digest(), Buffer.alloc(32)]));
}

function partialOf(epoch: bigint, height: bigint, index: number): Uint8Array {
  return mark('partial', epoch, index, sealIdentity(CHAIN_ID, height));
}

function keyOf(height: bigint): Uint8Array {
  return mark('key', sealIdentity(CHAIN_ID, height));
}

function shareOf(signer: number, height: bigint, epoch = 0n): SealShare {
  return { epoch, height, signer, partial: partialOf(epoch, height, signer) };
}

const quiet = () => undefined;
const QUIET: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

/** One validator's collector with a chain and signer controlled by the test. */
class Node implements Pick<ThresholdSigner, 'sign' | 'assemble'> {
  readonly keys: ThresholdSealKeys;
  readonly sent: { readonly share: SealShare; readonly to: number | undefined }[] = [];
  readonly drops: { readonly peer: number; readonly reason: string }[] = [];
  readonly assembled: number[][] = [];
  known = 0;
  tip = 0n;
  unopened: bigint[] = [];
  epoch: SealEpoch;
  /** Number of next assemblies that fail. */
  failures = 0;
  /** Promise that the signer awaits. */
  gate: Promise<void> = Promise.resolve();
  scans = 0;

  constructor(t: TestContext, self = 0) {
    this.epoch = { epoch: 0n, quorum: QUORUM, validators: VALIDATORS, self };
    this.keys = new ThresholdSealKeys({
      runtime: NODE_RUNTIME,
      chainId: CHAIN_ID,
      chain: {
        unopenedHeights: () => {
          this.scans++;
          return this.unopened;
        },
        tipHeight: () => this.tip,
      },
      signer: this,
      epoch: () => this.epoch,
      send: (share, to) => this.sent.push({ share, to }),
      drop: (peer, reason) => this.drops.push({ peer, reason }),
      onKey: () => {
        this.known++;
      },
      log: QUIET,
    });
    t.after(() => this.keys.stop());
  }

  async sign(epoch: bigint, message: Uint8Array): Promise<Uint8Array> {
    await this.gate;
    return mark('partial', epoch, this.epoch.self, message);
  }

  async assemble(
    epoch: bigint,
    message: Uint8Array,
    partials: readonly { readonly index: number; readonly signature: Uint8Array }[],
  ) {
    this.assembled.push(partials.map(({ index }) => index));
    await this.gate;
    if (this.failures > 0) {
      this.failures--;
      throw new Error('the worker has failed');
    }
    const isGood = ({ index, signature }: (typeof partials)[number]) =>
      sameBytes(signature, mark('partial', epoch, index, message));
    const bad = partials.filter((partial) => !isGood(partial)).map(({ index }) => index);
    if (partials.length - bad.length < QUORUM) return { bad };
    return { signature: mark('key', message), bad };
  }

  /** Commits a block. */
  async commit(height: bigint, unopened: readonly bigint[]): Promise<void> {
    this.tip = height;
    this.unopened = [...unopened];
    this.keys.committed();
    await settled();
  }

  async receive(...shares: readonly SealShare[]): Promise<void> {
    for (const share of shares) this.keys.receive(share.signer, share);
    await settled();
  }

  /** The key of a height, if it is known. */
  async key(height: bigint): Promise<Uint8Array | undefined> {
    const { keyOf } = await this.keys.forProposal([height], AbortSignal.abort());
    return keyOf?.(height)?.signature;
  }

  heightsSent(): bigint[] {
    return this.sent.map(({ share }) => share.height);
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Mocks the timer. @returns a function that triggers the periodic resend of parts */
function repeats(t: TestContext): () => Promise<void> {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  return async () => {
    t.mock.timers.tick(REPEAT_MS);
    await settled();
  };
}

test('the parts of a quorum make the key, and fewer do not', async (t) => {
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [5n]);
  assert.deepEqual(node.sent, [{ share: shareOf(0, 5n), to: undefined }]);
  await node.receive(shareOf(1, 5n));
  assert.equal(await node.key(5n), undefined);
  assert.deepEqual(node.assembled, []);
  await node.receive(shareOf(3, 5n));
  assert.deepEqual(await node.key(5n), keyOf(5n));
  assert.equal(node.known, 1);
});

test('a proposal waits for missing keys until they are known or its time is over', async (t) => {
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [5n]);
  const waiting = new AbortController();
  let known: Uint8Array | undefined;
  const asked = node.keys.forProposal([5n], waiting.signal).then(({ keyOf: find }) => {
    known = find?.(5n)?.signature;
  });
  await node.receive(shareOf(1, 5n));
  assert.equal(known, undefined);
  await node.receive(shareOf(3, 5n));
  await asked;
  assert.deepEqual(known, keyOf(5n));
  const inVain = node.keys.forProposal([5n, 6n], waiting.signal);
  await settled();
  waiting.abort();
  const { keyOf: find } = await inVain;
  assert.deepEqual(find?.(5n)?.signature, keyOf(5n));
  assert.equal(find?.(6n), undefined);
});

test('nothing is signed before its height is committed', async (t) => {
  const again = repeats(t);
  const node = new Node(t);
  node.keys.start();
  await node.commit(4n, [5n, 9n]);
  await again();
  node.keys.onPeerConnected(2);
  await node.receive(shareOf(1, 5n), shareOf(2, 5n));
  assert.deepEqual(node.sent, []);
  assert.deepEqual(node.assembled, []);
  await node.commit(5n, [5n, 9n]);
  assert.deepEqual(node.heightsSent(), [5n]);
  assert.deepEqual(await node.key(5n), keyOf(5n));
});

test('an invalid part is reported, its sender dropped, and the key is still made', async (t) => {
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [5n]);
  const bad = { ...shareOf(1, 5n), partial: partialOf(0n, 6n, 1) };
  await node.receive(bad, shareOf(2, 5n));
  assert.deepEqual(
    node.drops.map(({ peer }) => peer),
    [1],
  );
  assert.equal(await node.key(5n), undefined);
  // A second part of the same validator is not checked.
  await node.receive(shareOf(1, 5n));
  assert.equal(await node.key(5n), undefined);
  await node.receive(shareOf(3, 5n));
  assert.deepEqual(await node.key(5n), keyOf(5n));
  assert.equal(node.drops.length, 1);
});

test('a part that arrives while a bad one is identified counts', async (t) => {
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [5n]);
  const { promise, open } = closedGate();
  node.gate = promise;
  await node.receive({ ...shareOf(1, 5n), partial: partialOf(0n, 6n, 1) }, shareOf(2, 5n));
  assert.equal(node.assembled.length, 1);
  await node.receive(shareOf(3, 5n));
  open();
  await settled();
  assert.deepEqual(await node.key(5n), keyOf(5n));
});

test('a key that could not be assembled is retried', async (t) => {
  const again = repeats(t);
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [5n]);
  node.failures = 1;
  await node.receive(shareOf(1, 5n), shareOf(2, 5n));
  assert.equal(await node.key(5n), undefined);
  await again();
  assert.deepEqual(await node.key(5n), keyOf(5n));
});

test('an epoch change signs all due heights again, even if the key is known locally', async (t) => {
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [4n, 5n]);
  await node.receive(shareOf(1, 4n), shareOf(2, 4n), shareOf(1, 5n));
  assert.deepEqual(await node.key(4n), keyOf(4n));
  node.sent.length = 0;
  node.epoch = { ...node.epoch, epoch: 1n, self: 1 };
  await node.commit(6n, [4n, 5n]);
  assert.deepEqual(
    node.sent.map(({ share }) => share),
    [shareOf(1, 4n, 1n), shareOf(1, 5n, 1n)],
  );
  // Parts of the old epoch do not combine with those of the new one.
  await node.receive(shareOf(2, 5n), shareOf(3, 5n), shareOf(2, 5n, 1n));
  assert.equal(await node.key(5n), undefined);
  await node.receive(shareOf(0, 5n, 1n));
  assert.deepEqual(await node.key(5n), keyOf(5n));
  assert.deepEqual(await node.key(4n), keyOf(4n));
  assert.deepEqual(node.drops, []);
});

test('a part of the old epoch finished after the new one began is not sent', async (t) => {
  const again = repeats(t);
  const node = new Node(t);
  node.keys.start();
  const { promise, open } = closedGate();
  node.gate = promise;
  await node.commit(5n, [5n]);
  // The new epoch's share is not available at once.
  node.epoch = { ...node.epoch, epoch: 1n, self: -1 };
  await node.commit(6n, [5n]);
  open();
  await settled();
  assert.deepEqual(node.sent, []);
  node.epoch = { ...node.epoch, self: 2 };
  await again();
  assert.deepEqual(
    node.sent.map(({ share }) => share),
    [shareOf(2, 5n, 1n)],
  );
});

test('a peer that sends the part of another validator is dropped, and the part is not counted', async (t) => {
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [5n]);
  node.keys.receive(3, shareOf(1, 5n));
  await node.receive(shareOf(2, 5n));
  assert.deepEqual(
    node.drops.map(({ peer }) => peer),
    [3],
  );
  assert.deepEqual(node.assembled, []);
  assert.equal(await node.key(5n), undefined);
});

test('a peer in another epoch with another index is not at fault', async (t) => {
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [5n]);
  node.keys.receive(3, shareOf(2, 5n, 1n));
  await settled();
  assert.deepEqual(node.drops, []);
});

test('the part of a peer that is ahead waits until its height is committed here', async (t) => {
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, []);
  await node.receive(shareOf(1, 8n), shareOf(2, 8n));
  assert.deepEqual(node.sent, []);
  await node.commit(8n, [8n]);
  assert.deepEqual(await node.key(8n), keyOf(8n));
});

test('a flood of parts keeps and checks no more than those of the lowest due heights and those just ahead', async (t) => {
  const node = new Node(t);
  node.keys.start();
  const due = Array.from({ length: 50 }, (_, at) => BigInt(1 + at));
  await node.commit(100n, [...due, 400n]);
  assert.deepEqual(node.heightsSent(), due.slice(0, 8));
  const scans = node.scans;
  const flood: SealShare[] = [];
  for (let height = 0n; height < 1_000n; height++) {
    for (const signer of [1, 2, 3]) flood.push(shareOf(signer, height), shareOf(signer, height));
  }
  await node.receive(...flood);
  // A part causes no state read.
  assert.equal(node.scans, scans);
  const kept: bigint[] = [];
  for (let height = 0n; height < 1_000n; height++)
    if ((await node.key(height)) !== undefined) kept.push(height);
  assert.deepEqual(kept, [...due.slice(0, 8), ...Array.from({ length: 16 }, (_, at) => BigInt(101 + at))]);
  assert.equal(node.assembled.length, 24);
  assert.deepEqual(node.drops, []);
  // Heights found to have no envelopes are dropped.
  await node.commit(200n, due.slice(8));
  assert.equal(await node.key(1n), undefined);
  assert.equal(await node.key(105n), undefined);
});

test('lost parts are resent every second and to connecting peers until the height is open', async (t) => {
  const again = repeats(t);
  const node = new Node(t);
  node.keys.start();
  await node.commit(5n, [5n]);
  await node.receive(shareOf(1, 5n), shareOf(2, 5n));
  assert.deepEqual(await node.key(5n), keyOf(5n));
  node.sent.length = 0;
  await again();
  node.keys.onPeerConnected(3);
  assert.deepEqual(node.sent, [
    { share: shareOf(0, 5n), to: undefined },
    { share: shareOf(0, 5n), to: 3 },
  ]);
  await node.commit(6n, []);
  node.sent.length = 0;
  await again();
  node.keys.onPeerConnected(3);
  assert.deepEqual(node.sent, []);
});

test('a validator without a share signs nothing but still assembles keys', async (t) => {
  const node = new Node(t, -1);
  node.keys.start();
  await node.commit(5n, [5n]);
  await node.receive(shareOf(0, 5n), shareOf(1, 5n), shareOf(2, 5n));
  assert.deepEqual(node.sent, []);
  assert.deepEqual(await node.key(5n), keyOf(5n));
});

function closedGate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { ChainTip } from '../../../src/chain/committed-chain.js';
import { connect, devAccount } from '../../../src/client/client.js';
import { devValidatorKey } from '../../../src/consensus/validator-key.js';
import type { Bls, Crypto } from '../../../src/crypto/crypto.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { BlockHeader } from '../../../src/generated/ledger.js';
import type {
  Block,
  FinalityCertificate,
  FinalizedHistoryRootResult,
} from '../../../src/generated/node-rpc-v1.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { devGenesis } from '../../../src/ledger/dev-genesis.js';
import { blockHash, validatorsHash } from '../../../src/ledger/header.js';
import { finalizeMessage } from '../../../src/proofs/verify/certificate-message.js';
import { certifiedBlock, checkRange, type RangeRules } from '../../../src/sync/follow/certified-range.js';
import { FollowError } from '../../../src/sync/follow/follow-error.js';
import { SourceError } from '../../../src/sync/follow/source-error.js';
import { NATIVE } from '../../support/native-modes.js';
import { withInProcessNode } from '../../support/nodes/in-process-node.js';
import { fakePool } from '../../support/worlds/fake-pool.js';

const CHAIN_ID = 9545n;
const BLOCKS = 4;

let crypto: Crypto;
let bls: Bls;
let rules: RangeRules;
let genesis: ChainTip;
let blocks: readonly Block[];

function certificateOf({ header, hash }: Pick<Block, 'header' | 'hash'>): FinalityCertificate {
  const { epoch, view } = header;
  const facts = { chainId: CHAIN_ID, epoch, view, parentView: view - 1n, hash };
  const key = devValidatorKey(crypto);
  return {
    epoch,
    view,
    block_hash: hash,
    parent_view: view - 1n,
    signature: bls.sign(finalizeMessage(facts), key),
    group_public_key: bls.publicKey(key),
  };
}

function certified(block: Pick<Block, 'header' | 'hash'>): FinalizedHistoryRootResult {
  const history = { root: block.header.history_root, size: 0n, peaks: [], height: block.header.height };
  return { history, header: block.header, certificate: certificateOf(block), descendants: [] };
}

function last(): Block {
  const block = blocks.at(-1);
  assert.ok(block !== undefined);
  return block;
}

/** The block with another header, and the matching hash. */
function withHeader(block: Block, change: Partial<BlockHeader>): Block {
  const header = { ...block.header, ...change };
  return { ...block, header, hash: blockHash(crypto, ledger.BlockHeader.encode(header)) };
}

function replaced(index: number, block: Block): readonly Block[] {
  return blocks.map((other, place) => (place === index ? block : other));
}

async function refusal(sent: readonly Block[], answer = certified(last()), after = genesis): Promise<Error> {
  try {
    await checkRange(rules, after, sent, [answer]);
  } catch (error) {
    assert.ok(error instanceof SourceError || error instanceof FollowError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'it was taken for good' });
}

async function isLie(sent: readonly Block[], expected: RegExp, answer = certified(last())): Promise<void> {
  const error = await refusal(sent, answer);
  assert.ok(error instanceof SourceError && error.isLie, String(error));
  assert.match(error.message, expected);
}

before(async () => {
  crypto = await loadCrypto('auto', () => undefined);
  bls = await loadBls('auto');
  await withInProcessNode({ native: NATIVE, workers: 1 }, async (node) => {
    const client = connect(node.url);
    const sender = client.sender(devAccount(0));
    for (let block = 0; block < BLOCKS; block++) {
      for (let i = 0; i < 3; i++)
        await sender.send({ type: 'transfer', value: { to: devAccount(1).address, amount: BigInt(i) } });
      await node.sealNow(1_800_000_000_000 + block * 1_000);
    }
    const answer = await client.get_blocks({ from_height: 0n, to_height: BigInt(BLOCKS) });
    const [first, ...rest] = answer.blocks;
    assert.ok(first !== undefined);
    genesis = first;
    blocks = rest;
  });
  const { validator_set: set } = devGenesis(crypto);
  const workers = fakePool({
    verify_bls: async ({ publicKey, signed }) =>
      signed.map(({ message, signature }) => bls.verify(signature, message, publicKey)),
  });
  rules = {
    crypto,
    chainId: CHAIN_ID,
    validatorsHash: () => validatorsHash(crypto, set),
    certifiedBlock: (block, finality) =>
      certifiedBlock({ crypto, workers, groupPublicKey: set.group_public_key }, block, finality),
  };
});

describe('blocks from a source', () => {
  test('consecutive blocks with the certificate of the last one are accepted', async () => {
    const range = await checkRange(rules, genesis, blocks, [certified(last())]);
    assert.equal(range.blocks.length, BLOCKS);
    assert.deepEqual(range.end.hash, last().hash);
    assert.deepEqual(
      range.blocks.map(({ transactions }) => transactions.length),
      [3, 3, 3, 3],
    );
    const [, second, ...rest] = blocks;
    assert.ok(second !== undefined);
    const later = await checkRange(rules, second, rest, rest.map(certified));
    assert.equal(later.blocks.length, BLOCKS - 2, 'from any block on');
    assert.deepEqual([...later.certificates.keys()].sort(), [3n, 4n], 'each may have its own');
  });

  test('a changed member of any header is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(BLOCKS - 1),
        fc.constantFrom(...(Object.keys(genesis.header) as (keyof BlockHeader)[])),
        fc.boolean(),
        async (index, member, rehashed) => {
          const block = blocks[index];
          assert.ok(block !== undefined);
          const value = block.header[member];
          const other =
            typeof value === 'bigint'
              ? value + 1n
              : typeof value === 'number'
                ? value + 1
                : value.length === 0
                  ? Uint8Array.of(1)
                  : value.map((byte, place) => (place === 7 ? byte ^ 1 : byte));
          const changed = withHeader(block, { [member]: other });
          const error = await refusal(replaced(index, rehashed ? changed : { ...changed, hash: block.hash }));
          // The first block's parent is compared last: if everything after it is certified, there are two chains.
          assert.ok(error instanceof SourceError && error.isLie, `${member} of block ${index}: ${error}`);
        },
      ),
      { numRuns: 120 },
    );
  });

  test('items that are missing, too many, changed or in another order are refused', async () => {
    const block = blocks[1];
    assert.ok(block !== undefined);
    const [a, b, c] = block.items;
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    const [foreign] = blocks[2]?.items ?? [];
    assert.ok(foreign !== undefined);
    const forged = structuredClone(b);
    assert.ok(forged.type === 'transaction');
    forged.value.signature.value.signature[5] = (forged.value.signature.value.signature[5] ?? 0) ^ 1;
    for (const items of [[], [a, b], [a, b, c, c], [b, a, c], [a, foreign, c], [a, forged, c]]) {
      await isLie(replaced(1, { ...block, items }), /items have the root/);
    }
  });

  test('blocks that are missing, of other heights or in another order are refused', async () => {
    const [a, b, c, d] = blocks;
    assert.ok(a !== undefined && b !== undefined && c !== undefined && d !== undefined);
    await isLie([], /none of the blocks/);
    await isLie([b, c, d], /expected block 1, got block 2/);
    await isLie([a, c, d], /expected block 2, got block 3/);
    await isLie([b, a, c, d], /expected block 1/);
    await isLie([a, b, c], /not of block 3/, certified(d));
    await isLie(blocks, /not of block 4/, certified(c));
  });

  test('a certificate with a changed member, or made by another key, is refused', async () => {
    const answer = certified(last());
    const good = certificateOf(last());
    const flipped = (bytes: Uint8Array) => bytes.map((byte, place) => (place === 3 ? byte ^ 4 : byte));
    const otherKey = new Uint8Array(32).fill(7);
    const message = finalizeMessage({
      chainId: CHAIN_ID,
      epoch: good.epoch,
      view: good.view,
      parentView: good.parent_view,
      hash: good.block_hash,
    });
    for (const certificate of [
      { ...good, epoch: good.epoch + 1n },
      { ...good, view: good.view + 1n },
      { ...good, parent_view: good.parent_view + 1n },
      { ...good, block_hash: flipped(good.block_hash) },
      { ...good, signature: flipped(good.signature) },
      { ...good, signature: good.signature.slice(1) },
      { ...good, signature: new Uint8Array(0) },
      { ...good, group_public_key: bls.publicKey(otherKey), signature: bls.sign(message, otherKey) },
      { ...good, signature: bls.sign(message, otherKey) },
    ]) {
      await isLie(blocks, /certificate is not the trusted validators'/, { ...answer, certificate });
    }
    const { certificate: _, ...bare } = answer;
    const error = await refusal(blocks, bare);
    assert.ok(error instanceof SourceError && !error.isLie && error.kind === 'no_certificate', String(error));
  });

  test('a range is final through the certificate of a block after it, which is kept for that block', async () => {
    const [a = assert.fail(), b = assert.fail(), c = assert.fail(), d = assert.fail()] = blocks;
    const answer = { ...certified(b), certificate: certificateOf(d), descendants: [c.header, d.header] };
    const range = await checkRange(
      rules,
      genesis,
      [a, b],
      [
        { ...certified(a), certificate: certificateOf(d), descendants: [b.header, c.header, d.header] },
        answer,
      ],
    );
    assert.deepEqual(range.end.hash, b.hash);
    assert.deepEqual([...range.certificates], []);
    assert.deepEqual(range.descendantCertificate, { height: 4n, certificate: certificateOf(d) });
    const next = await checkRange(
      rules,
      b,
      [c],
      [{ ...certified(c), certificate: certificateOf(d), descendants: [d.header] }],
      range.descendantCertificate,
    );
    assert.deepEqual(next.descendantCertificate, range.descendantCertificate);
    const { certificates, descendantCertificate } = await checkRange(
      rules,
      c,
      [d],
      [certified(d)],
      next.descendantCertificate,
    );
    assert.deepEqual([...certificates], [[4n, certificateOf(d)]]);
    assert.equal(descendantCertificate, undefined);
  });

  test('a kept certificate fits no other block of its height', async () => {
    const [a = assert.fail(), b = assert.fail()] = blocks;
    const ofOther = { height: 1n, certificate: certificateOf(withHeader(a, { timestamp_ms: 1n })) };
    const { certificates, descendantCertificate } = await checkRange(
      rules,
      genesis,
      [a, b],
      [certified(b)],
      ofOther,
    );
    assert.deepEqual([...certificates.keys()], [2n]);
    assert.equal(descendantCertificate, undefined);
  });

  test('headers that do not lead from the last block to the certified one are refused', async () => {
    const [a = assert.fail(), b = assert.fail(), c = assert.fail(), d = assert.fail()] = blocks;
    const certificate = certificateOf(d);
    const forged = withHeader(c, { state_root: new Uint8Array(32) }).header;
    for (const descendants of [
      [],
      [c.header],
      [d.header],
      [d.header, c.header],
      [forged, d.header],
      [b.header, c.header, d.header],
      [c.header, d.header, d.header],
      new Array<BlockHeader>(10_001).fill(c.header),
    ]) {
      await isLie([a, b], /certificate is not the trusted validators'/, {
        ...certified(b),
        certificate,
        descendants,
      });
    }
    const earlier = { ...certified(b), certificate: { ...certificate, view: certificate.view - 1n } };
    await isLie([a, b], /certificate is not/, { ...earlier, descendants: [c.header, d.header] });
  });

  test('validators of a later epoch are not compared, because executing its blocks yields them', async () => {
    const known = rules.validatorsHash(0n);
    const unknown = { ...rules, validatorsHash: (epoch: bigint) => (epoch === 0n ? known : undefined) };
    const [a = assert.fail()] = blocks;
    const other = { epoch: 1n, validators_hash: new Uint8Array(32).fill(3) };
    const later = withHeader(a, other);
    const range = await checkRange(unknown, genesis, [later], [certified(later)]);
    assert.deepEqual(range.end.header.validators_hash, other.validators_hash);
    const now = withHeader(a, { validators_hash: other.validators_hash });
    await assert.rejects(
      checkRange(unknown, genesis, [now], [certified(now)]),
      /expected the known validator set/,
    );
  });

  test('a bad certificate of an earlier block is refused too', async () => {
    const answers = blocks.map(certified);
    const [first, second, ...rest] = answers;
    assert.ok(first !== undefined && second?.certificate !== undefined);
    const bad = { ...second, certificate: { ...second.certificate, view: 9n } };
    await assert.rejects(
      checkRange(rules, genesis, blocks, [first, bad, ...rest]),
      (error) => error instanceof SourceError && error.isLie,
    );
  });

  test('a certified chain with a different past ends the follower with an error', async () => {
    const other = { header: genesis.header, hash: new Uint8Array(32).fill(9) };
    const error = await refusal(blocks, certified(last()), other);
    assert.ok(error instanceof FollowError && error.code === 'other_chain', String(error));
    assert.match(error.message, /another chain, certified by the same key: block 0 is 0909/);
  });
});

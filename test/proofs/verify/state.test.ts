import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AccountRecord } from '../../../src/generated/ledger.js';
import type { TreeProof } from '../../../src/generated/node-rpc-v1.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { verifyAccount, verifySlot, verifyTreeProof } from '../../../src/proofs/verify.js';
import { hex } from '../../support/hex.js';
import { sweep } from '../../support/sweep.js';
import { digest, hashOf, headerWith, PlainTree, sha256 } from './proved-world.js';
import { refusal, refusesEveryMutation } from './refusals.js';

const addressOf = (seed: number) => digest(seed).slice(0, 20);
const accountKey = (address: Uint8Array) => sha256(Uint8Array.of(0), address);
const slotKey = (address: Uint8Array, slot: Uint8Array) => sha256(Uint8Array.of(1), address, slot);
const byKey = (a: { key: Uint8Array }, b: { key: Uint8Array }) => Buffer.compare(a.key, b.key);

const record: AccountRecord = {
  balance: 10n ** 24n,
  lanes: [{ lane: 3, next_nonce: 5n }],
  deploy_index: 1n,
};
const contract = addressOf(100);
const slot = digest(200);

const tree = new PlainTree(
  [
    ...Array.from({ length: 40 }, (_, seed) => ({
      key: accountKey(addressOf(seed)),
      value: ledger.AccountRecord.encode({ ...record, balance: BigInt(seed + 1) }),
    })),
    { key: slotKey(contract, slot), value: Uint8Array.of(9, 8, 7) },
  ].sort(byKey),
);
const header = headerWith({ state_root: tree.root });
const trust = { headerHash: hashOf(header) };

function answerOf(account: TreeProof, slotProof?: TreeProof): unknown {
  return JSON.parse(
    rpcTypes.StateProofResult.toJson({
      header,
      account,
      descendants: [],
      ...(slotProof === undefined ? {} : { slot: slotProof }),
    }),
  );
}

/** If the block's hash is trusted, it needs no certificate. */
const isOfCertificate = (what: string): boolean => what === 'without $.descendants';

test('untyped invalid arguments are refused with a reason', () => {
  const address = addressOf(1);
  const answer = answerOf(tree.prove(accountKey(address)));
  const groupPublicKey = new Uint8Array(48);
  const trusts: readonly unknown[] = [
    undefined,
    null,
    {},
    'dev',
    { ...trust, groupPublicKey },
    { groupPublicKey, chainId: 1.5 },
    { groupPublicKey, chainId: 'x' },
    { genesis: {} },
    { headerHash: 5 },
  ];
  for (const wrong of trusts) {
    const verify = () => verifyAccount(answer, address, wrong as typeof trust);
    assert.equal(refusal(JSON.stringify(wrong) ?? 'nothing', verify), 'malformed');
  }
  const addresses: readonly unknown[] = [undefined, null, 5, [...address], '0x12'];
  for (const wrong of addresses) {
    const verify = () => verifyAccount(answer, wrong as typeof address, trust);
    assert.equal(refusal(`address ${JSON.stringify(wrong)}`, verify), 'malformed');
  }
});

test('accounts, absent accounts, slots and empty slots are answered correctly', () => {
  for (let seed = 0; seed < 40; seed++) {
    const address = addressOf(seed);
    const { block, record: found } = verifyAccount(answerOf(tree.prove(accountKey(address))), address, trust);
    assert.equal(found?.balance, BigInt(seed + 1));
    assert.equal(block.header.height, header.height);
  }
  for (let seed = 1_000; seed < 1_040; seed++) {
    const address = addressOf(seed);
    const verified = verifyAccount(answerOf(tree.prove(accountKey(address))), `0x${hex(address)}`, trust);
    assert.equal(verified.record, undefined);
  }
  const account = tree.prove(accountKey(contract));
  const known = answerOf(account, tree.prove(slotKey(contract, slot)));
  assert.deepEqual(verifySlot(known, { contract, slot }, trust).value, Uint8Array.of(9, 8, 7));
  const empty = answerOf(account, tree.prove(slotKey(contract, digest(201))));
  assert.equal(verifySlot(empty, { contract, slot: digest(201) }, trust).value, undefined);
});

test('every change of an answer about a present account, one with a neighbour, or one at an empty position is refused', () => {
  const absent = Array.from({ length: 200 }, (_, seed) => addressOf(1_000 + seed));
  const withNeighbour = absent.find((address) => tree.prove(accountKey(address)).neighbour !== undefined);
  const atEmpty = absent.find((address) => tree.prove(accountKey(address)).neighbour === undefined);
  for (const address of [addressOf(5), withNeighbour, atEmpty]) {
    if (address === undefined) return assert.fail('expected addresses of both kinds');
    const answer = answerOf(tree.prove(accountKey(address)));
    const tried = refusesEveryMutation(answer, (mutated) => verifyAccount(mutated, address, trust), {
      isFree: isOfCertificate,
    });
    assert.ok(tried > 2_500, `${tried}`);
  }
});

test('every change of an answer about a slot is refused', () => {
  for (const asked of [slot, digest(201)]) {
    const answer = answerOf(tree.prove(accountKey(contract)), tree.prove(slotKey(contract, asked)));
    const tried = refusesEveryMutation(
      answer,
      (mutated) => verifySlot(mutated, { contract, slot: asked }, trust),
      {
        // The account's own proof proves nothing about the slot, and is not returned.
        isFree: (what) => what.includes('$.account') || isOfCertificate(what),
      },
    );
    assert.ok(tried > 2_500, `${tried}`);
  }
});

test('a proof of another key, height or kind is refused', () => {
  const [mine, other] = [addressOf(1), addressOf(2)];
  const answer = answerOf(tree.prove(accountKey(other)), tree.prove(slotKey(contract, slot)));
  const codeOf = (verify: () => unknown) => refusal('proof', verify);
  assert.equal(
    codeOf(() => verifyAccount(answer, mine, trust)),
    'wrong_subject',
  );
  assert.equal(
    codeOf(() => verifySlot(answer, { contract, slot: digest(201) }, trust)),
    'wrong_subject',
  );
  assert.equal(
    codeOf(() => verifySlot(answer, { contract: mine, slot }, trust)),
    'wrong_subject',
  );
  assert.equal(
    codeOf(() => verifySlot(answerOf(tree.prove(accountKey(mine))), { contract, slot }, trust)),
    'wrong_subject',
  );
  const grown = new PlainTree(
    [
      ...Array.from({ length: 41 }, (_, seed) => ({
        key: accountKey(addressOf(seed)),
        value: Uint8Array.of(1),
      })),
    ].sort(byKey),
  );
  assert.equal(
    codeOf(() => verifyAccount(answerOf(grown.prove(accountKey(mine))), mine, trust)),
    'not_proved',
  );
  // An existing key, shown as absent by a neighbour from elsewhere in the tree.
  const neighbour = { key: accountKey(other), value_hash: digest(1) };
  const { value: _, ...absent } = tree.prove(accountKey(mine));
  assert.equal(
    codeOf(() => verifyAccount(answerOf({ ...absent, neighbour }), mine, trust)),
    'not_proved',
  );
  assert.equal(
    codeOf(() => verifyAccount(answer, '0x12', trust)),
    'malformed',
  );
});

test('in trees of any keys, every key has a proof of either inclusion or absence, never both', () => {
  // Keys of few distinct bits, so that trees are deep and lopsided.
  const key = fc
    .array(fc.constantFrom(0x00, 0x01, 0x80, 0xff), { minLength: 32, maxLength: 32 })
    .map((bytes) => Uint8Array.from(bytes));
  const shared = fc.tuple(key, fc.nat({ max: 255 })).map(([base, bit]) => {
    const near = base.slice();
    near[bit >> 3] = (near[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
    return [base, near] as const;
  });
  fc.assert(
    fc.property(fc.uniqueArray(shared, { maxLength: 12, selector: ([base]) => hex(base) }), (pairs) => {
      const keys = [...new Map(pairs.flat().map((bytes) => [hex(bytes), bytes])).values()];
      const inTree = keys.filter((_, index) => index % 2 === 0);
      const entries = inTree.map((bytes) => ({ key: bytes, value: bytes.subarray(0, 5) })).sort(byKey);
      const sparse = new PlainTree(entries);
      for (const [index, bytes] of keys.entries()) {
        const proof = sparse.prove(bytes);
        const value = verifyTreeProof(proof, bytes, sparse.root);
        assert.deepEqual(value, index % 2 === 0 ? bytes.subarray(0, 5) : undefined);
        const { value: _, ...without } = proof;
        const lies: TreeProof[] =
          value === undefined
            ? [
                { ...proof, value: Uint8Array.of(1) },
                { ...without, value: Uint8Array.of(1) },
              ]
            : [without, { ...without, neighbour: { key: bytes, value_hash: sha256(value) } }];
        for (const lie of lies) refusal('lie', () => verifyTreeProof(lie, bytes, sparse.root));
      }
    }),
    { numRuns: sweep(6) },
  );
});

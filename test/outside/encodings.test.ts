import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { ascii, be64, concat, hex, sha256, unhex } from './bytes.js';
import { nextBaseFee } from './chain-auditor.js';
import {
  AccountRecord,
  BlockItem,
  SignedTransaction,
  Transaction,
  transactionHash,
} from './ledger-shapes.js';
import { decode, encode } from './shapes.js';
import { accountKey, HistoryMmr, listRoot, listRootFromPath, stateRoot } from './trees.js';
import {
  devWallet,
  secp256k1Address,
  secp256k1Wallet,
  signatureHolds,
  signTransaction,
  transfer,
} from './wallet.js';

const ZERO = new Uint8Array(32);

test('a transfer encodes to the bytes written out by hand', () => {
  const transaction: Transaction = {
    chain_id: 1n,
    sender: unhex('11'.repeat(20)),
    lane: 2,
    nonce: 3n,
    gas_limit: 0x0102n,
    max_fee: 5n,
    priority_fee: 6n,
    valid_until: 7n,
    action: transfer(unhex('22'.repeat(20)), 256n),
  };
  const expected = [
    '0100000000000000',
    '11'.repeat(20),
    '02000000',
    '0300000000000000',
    '0201000000000000',
    '05000000000000000000000000000000',
    '06000000000000000000000000000000',
    '010700000000000000',
    '00',
    '22'.repeat(20),
    '00010000000000000000000000000000',
  ].join('');
  assert.equal(hex(encode(Transaction, transaction)), expected);
  assert.deepEqual(decode(Transaction, unhex(expected)), transaction);
  assert.equal(hex(transactionHash(transaction)), hex(sha256(ascii('heddle/tx/1'), unhex(expected))));
  assert.throws(() => decode(Transaction, unhex(`${expected}00`)), /left over/);
});

test('an account record encodes to the bytes written out by hand', () => {
  const record = {
    balance: 1000n,
    lanes: [{ lane: 0, next_nonce: 1n }],
    deploy_index: 0n,
    contract: undefined,
  };
  const expected = 'e8030000000000000000000000000000 01000000 00000000 0100000000000000 0000000000000000 00';
  assert.equal(hex(encode(AccountRecord, record)), expected.replaceAll(' ', ''));
});

test('signed transactions of both schemes survive encoding and prove their sender', () => {
  const wallets = [devWallet(0), secp256k1Wallet(sha256(ascii('a key')))];
  for (const wallet of wallets) {
    const sent = signTransaction(wallet, { chainId: 9n, nonce: 0n, action: transfer(wallet.address, 1n) });
    const again = decode(SignedTransaction, unhex(sent.encoded));
    assert.deepEqual(again, sent.signed);
    assert.ok(signatureHolds(again));
    assert.ok(!signatureHolds({ ...again, transaction: { ...again.transaction, nonce: 1n } }));
    const item = { type: 'transaction', value: again } as const;
    assert.deepEqual(BlockItem.fromJson(BlockItem.toJson(item), 'item'), item);
  }
});

test('the secp256k1 address matches that of wallets', () => {
  // Private key 1 gives the generator point, whose address is widely known.
  const { signature } = signTransaction(secp256k1Wallet(unhex(`${'00'.repeat(31)}01`)), {
    chainId: 1n,
    nonce: 0n,
    action: transfer(new Uint8Array(20), 0n),
  }).signed;
  assert.equal(hex(secp256k1Address(signature.value.public_key)), '7e5f4552091a69125d5dfcb7b8c2659029395bdf');
});

test('list roots pad with zeros and mix in the length', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((text) => sha256(ascii(text)));
  assert.ok(a && b && c);
  const length = (n: number): Uint8Array => concat(Uint8Array.of(n), new Uint8Array(31));
  assert.equal(hex(listRoot([])), hex(sha256(ZERO, length(0))));
  assert.equal(hex(listRoot([a])), hex(sha256(a, length(1))));
  const four = sha256(sha256(a, b), sha256(c, ZERO));
  assert.equal(hex(listRoot([a, b, c])), hex(sha256(four, length(3))));
  assert.equal(hex(listRootFromPath(c, 2, 3, [ZERO, sha256(a, b)])), hex(listRoot([a, b, c])));
  assert.throws(() => listRootFromPath(c, 2, 3, [ZERO]), /path/);
});

test('the state tree puts a lone leaf where its subtree begins', () => {
  const leaf = (key: Uint8Array, value: string): Uint8Array =>
    sha256(Uint8Array.of(0), key, sha256(ascii(value)));
  const key = (first: number): Uint8Array => concat(Uint8Array.of(first), new Uint8Array(31));
  assert.equal(hex(stateRoot([])), hex(ZERO));
  assert.equal(hex(stateRoot([{ key: key(0x80), value: ascii('x') }])), hex(leaf(key(0x80), 'x')));
  // 00…, 01… and 10… diverge at the first and the second bit.
  const root = sha256(sha256(leaf(key(0x00), 'x'), leaf(key(0x40), 'y')), leaf(key(0x80), 'z'));
  const entries = [
    { key: key(0x80), value: ascii('z') },
    { key: key(0x00), value: ascii('x') },
    { key: key(0x40), value: ascii('y') },
  ];
  assert.equal(hex(stateRoot(entries)), hex(root));
  // Two keys that share their first bit keep an empty sibling above them.
  const sharing = sha256(sha256(leaf(key(0x00), 'x'), leaf(key(0x40), 'y')), ZERO);
  assert.equal(hex(stateRoot(entries.slice(1))), hex(sharing));
  assert.equal(hex(accountKey(new Uint8Array(20))), hex(sha256(new Uint8Array(21))));
});

test('the MMR agrees with the small trees written out by hand', () => {
  const leaves = Array.from({ length: 4 }, (_, i) => sha256(Uint8Array.of(i)));
  const [a, b, c, d] = leaves;
  assert.ok(a && b && c && d);
  const mmr = new HistoryMmr();
  assert.equal(hex(mmr.root()), hex(sha256(be64(0n))));
  mmr.append(a);
  assert.equal(hex(mmr.root()), hex(sha256(be64(1n), a)));
  mmr.append(b);
  const ab = sha256(be64(3n), a, b);
  assert.equal(hex(mmr.root()), hex(sha256(be64(3n), ab)));
  mmr.append(c);
  assert.equal(hex(mmr.root()), hex(sha256(be64(4n), ab, c)));
  mmr.append(d);
  const abcd = sha256(be64(7n), ab, sha256(be64(6n), c, d));
  assert.equal(hex(mmr.root()), hex(sha256(be64(7n), abcd)));
});

interface MmrVectors {
  readonly leaves: readonly string[];
  readonly nodes: readonly string[];
  readonly peaks_by_last_node_index: Readonly<Record<string, readonly number[]>>;
}

function mmrVectorsPath(): string {
  let root = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(root, 'package.json')) && root !== dirname(root)) root = dirname(root);
  return join(root, 'test/vectors/mmr39.json');
}

test('the MMR agrees with the published vectors at every complete size', () => {
  const vectors = JSON.parse(readFileSync(mmrVectorsPath(), 'utf8')) as MmrVectors;
  const mmr = new HistoryMmr();
  for (const leaf of vectors.leaves) {
    mmr.append(unhex(leaf));
    const peaks = vectors.peaks_by_last_node_index[String(mmr.size - 1n)];
    assert.ok(peaks !== undefined, `the vectors know no range of ${mmr.size} nodes`);
    assert.deepEqual(
      mmr.peaks.map(hex),
      peaks.map((index) => vectors.nodes[index]),
    );
  }
  assert.equal(mmr.size, BigInt(vectors.nodes.length));
});

test('the base fee follows EIP-1559 and stops at one', () => {
  const fee = (gas_used: bigint, base_fee: bigint): bigint =>
    nextBaseFee({ gas_used, gas_limit: 200n, base_fee });
  assert.equal(fee(100n, 1000n), 1000n);
  assert.equal(fee(200n, 1000n), 1125n);
  assert.equal(fee(0n, 1000n), 875n);
  assert.equal(fee(101n, 1n), 2n);
  assert.equal(fee(0n, 1n), 1n);
  assert.equal(fee(150n, 16n), 17n);
});

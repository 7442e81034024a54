import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeRlp, type RlpItem, rlpNumber } from '../../../bench/macro/ethereum/rlp.js';
import { ethereumAddress, signLegacy } from '../../../bench/macro/ethereum/transaction.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');

// The examples of https://ethereum.org/developers/docs/data-structures-and-encoding/rlp
const EXAMPLES: readonly (readonly [name: string, item: RlpItem, encoded: string])[] = [
  ['a string', ascii('dog'), '83646f67'],
  ['a list', [ascii('cat'), ascii('dog')], 'c88363617483646f67'],
  ['an empty string', new Uint8Array(0), '80'],
  ['an empty list', [], 'c0'],
  ['the number 0', rlpNumber(0n), '80'],
  ['the byte 0', Uint8Array.of(0), '00'],
  ['the number 15', rlpNumber(15n), '0f'],
  ['the number 128', rlpNumber(128n), '8180'],
  ['the number 1024', rlpNumber(1024n), '820400'],
  ['nested lists', [[], [[]], [[], [[]]]], 'c7c0c1c0c3c0c1c0'],
  [
    'a string of 56 bytes',
    ascii('Lorem ipsum dolor sit amet, consectetur adipisicing elit'),
    `b838${hex(ascii('Lorem ipsum dolor sit amet, consectetur adipisicing elit'))}`,
  ],
  ['a list of 60 bytes', Array.from({ length: 15 }, () => ascii('dog')), `f83c${'83646f67'.repeat(15)}`],
];

for (const [name, item, encoded] of EXAMPLES) {
  test(`RLP encodes ${name}`, () => {
    assert.equal(hex(encodeRlp(item)), encoded);
  });
}

test('RLP refuses a negative number', () => {
  assert.throws(() => rlpNumber(-1n), /expected a number from 0, got -1/);
});

test('a transfer is signed as in the example of EIP-155', () => {
  const signed = signLegacy(
    {
      nonce: 9n,
      gasPrice: 20_000_000_000n,
      gasLimit: 21_000n,
      to: Buffer.from('35'.repeat(20), 'hex'),
      value: 10n ** 18n,
      data: new Uint8Array(0),
      chainId: 1n,
    },
    Buffer.from('46'.repeat(32), 'hex'),
  );
  assert.equal(
    hex(signed),
    'f86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe5' +
      '37567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  );
});

test('an address comes from the public key', () => {
  // The first account of the mnemonic that development nodes share.
  const key = Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex');
  assert.equal(hex(ethereumAddress(key)), 'f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientError, formatAddress, mnemonicAccount } from '../../src/client/client.js';
import { isMnemonic, mnemonicKeys } from '../../src/crypto/mnemonic.js';
import { toHex } from '../../src/idl/hex.js';

const WORDS = 'test test test test test test test test test test test junk';

test('a mnemonic gives the accounts that wallets and anvil derive from it', () => {
  const keyAt = mnemonicKeys(`  ${WORDS.replaceAll(' ', '  ')}\n`);
  assert.equal(
    toHex(keyAt(0).privateKey),
    'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  );
  const addresses = [0, 1, 9].map((index) => formatAddress(mnemonicAccount(WORDS, index).address));
  assert.deepEqual(addresses, [
    '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
  ]);
});

test('a wrong word, checksum or index is refused without showing the words', () => {
  for (const words of ['', 'test', WORDS.replace('junk', 'test'), WORDS.replace('junk', 'secretword')]) {
    assert.equal(isMnemonic(words), false);
    assert.throws(
      () => mnemonicAccount(words),
      (error) =>
        error instanceof ClientError && error.code === 'bad_key' && !error.message.includes('secretword'),
    );
  }
  assert.throws(() => mnemonicAccount(WORDS, -1), /expected an index from 0/);
  assert.throws(() => mnemonicAccount(WORDS, 2 ** 31), /expected an index from 0/);
});

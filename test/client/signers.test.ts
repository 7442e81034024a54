import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  devAccount,
  ed25519Signer,
  formatAddress,
  newPrivateKey,
  type Signer,
  secp256k1Signer,
  signTransaction,
} from '../../src/client/client.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { devAccounts } from '../../src/crypto/dev-accounts.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { Transaction } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { transactionFromEncoded } from '../../src/ledger/transaction-envelope.js';

describe('signing', () => {
  let crypto: Crypto;
  before(async () => {
    crypto = await loadCrypto('auto');
  });

  function transactionOf(signer: Signer): Transaction {
    return {
      chain_id: 1n,
      sender: signer.address,
      lane: 0,
      nonce: 3n,
      gas_limit: 20_000n,
      max_fee: 2n,
      priority_fee: 0n,
      action: { type: 'transfer', value: { to: new Uint8Array(20).fill(9), amount: 10n } },
    };
  }

  describe('signers', () => {
    it('the development accounts are those funded by the node', () => {
      const expected = devAccounts(crypto).map(({ address }) => formatAddress(address));
      const actual = Array.from({ length: 10 }, (_, index) => formatAddress(devAccount(index).address));
      assert.deepEqual(actual, expected);
      assert.throws(() => devAccount(10_000), { code: 'bad_key' });
      assert.throws(() => devAccount(0.5), { code: 'bad_key' });
    });

    it('the address of a secp256k1 key matches wallets', () => {
      // This key is public knowledge: the first account of the mnemonic "test test … junk".
      const key = Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex');
      assert.equal(formatAddress(secp256k1Signer(key).address), '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');
    });

    it('invalid keys are refused', () => {
      assert.throws(() => ed25519Signer(new Uint8Array(31)), { code: 'bad_key' });
      assert.throws(() => secp256k1Signer(new Uint8Array(32)), { code: 'bad_key' });
      assert.throws(() => secp256k1Signer(new Uint8Array(32).fill(255)), { code: 'bad_key' });
      assert.throws(() => secp256k1Signer(new Uint8Array(33).fill(1)), { code: 'bad_key' });
    });

    it('the caller may wipe a key after handing it over', async () => {
      const seed = newPrivateKey('ed25519');
      const signer = ed25519Signer(seed);
      const before = await signer.sign(new Uint8Array(32));
      seed.fill(0);
      assert.deepEqual(await signer.sign(new Uint8Array(32)), before);
    });

    for (const [scheme, make] of [
      ['ed25519', ed25519Signer],
      ['secp256k1', secp256k1Signer],
    ] as const) {
      it(`${scheme} signatures are valid for the node, byte for byte`, async () => {
        for (let round = 0; round < 10; round++) {
          const signer = make(newPrivateKey(scheme));
          const transaction = transactionOf(signer);
          const signed = await signTransaction(transaction, signer);
          const seen = transactionFromEncoded(signed.encoded, crypto);
          assert.deepEqual(seen.hash, signed.hash);
          assert.equal(seen.hashHex, signed.hashHex);
          assert.deepEqual(ledger.SignedTransaction.decode(signed.encoded).transaction, transaction);
          const { type, value } = signed.signed.signature;
          assert.ok(crypto[type].verify(value.signature, signed.hash, value.public_key));
        }
      });
    }
  });
});

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ed25519Address } from '../../src/crypto/address.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import {
  DEV_CONTROLLER_ADDRESS,
  DEV_CONTROLS_ADDRESS,
  devControllerSeed,
} from '../../src/ledger/dev-controls.js';
import { devGenesis, isDevelopmentChain } from '../../src/ledger/dev-genesis.js';

describe('the fixed addresses of development controls', () => {
  let crypto: Crypto;

  before(async () => {
    crypto = await loadCrypto('auto');
  });

  test('are derived from their texts', () => {
    const controls = crypto.sha256(Buffer.from('heddle dev controls')).subarray(0, 20);
    assert.deepEqual(Buffer.from(DEV_CONTROLS_ADDRESS), Buffer.from(controls));
    const publicKey = crypto.ed25519.publicKey(devControllerSeed(crypto));
    const controller = ed25519Address(crypto, publicKey);
    assert.deepEqual(Buffer.from(DEV_CONTROLLER_ADDRESS), Buffer.from(controller));
  });

  test('take effect on chains with the public group key only', () => {
    const { validator_set: set } = devGenesis(crypto);
    assert.equal(isDevelopmentChain(set), true);
    const other = Uint8Array.from(set.group_public_key, (byte, index) => (index === 47 ? byte ^ 1 : byte));
    assert.equal(isDevelopmentChain({ group_public_key: other }), false);
  });
});

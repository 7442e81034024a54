import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NATIVE_PARTS } from '../../src/config/native-mode.js';
import { loadBlst } from '../../src/crypto/native/blst.js';
import { loadHashtreePairs } from '../../src/crypto/native/hashtree-pairs.js';
import { loadLibsecp256k1 } from '../../src/crypto/native/libsecp256k1.js';
import { loadSodiumEd25519 } from '../../src/crypto/native/sodium-ed25519.js';
import { loadUws } from '../../src/rpc/http/native/load-uws.js';
import { loadRocksBinding } from '../../src/storage/native/rocksdb-binding.js';
import { NATIVE_LACKING } from '../support/native-modes.js';

const LOADERS: Readonly<Record<(typeof NATIVE_PARTS)[number], () => unknown>> = {
  http: () => {
    const loaded = loadUws();
    assert.ok('binding' in loaded, 'reason' in loaded ? loaded.reason : '');
  },
  store: loadRocksBinding,
  'sha256 pairs': loadHashtreePairs,
  ed25519: loadSodiumEd25519,
  secp256k1: loadLibsecp256k1,
  'bls12-381': loadBlst,
};

describe(`native parts on Node ${process.version}`, () => {
  for (const part of NATIVE_PARTS) {
    test(`${part} loads`, { skip: part === 'http' && NATIVE_LACKING }, () => void LOADERS[part]());
  }
});

/**
 * Cost of signatures. Of each scheme, the node's implementation beside the pure one. Of the check of a transaction's
 * signature in a worker, alone and as one of many, beside a bare verification in this thread.
 */
import { randomBytes } from 'node:crypto';
import { ed25519Address } from '../../src/crypto/address.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';
import { SignatureChecker } from '../../src/execution/signature-checker.js';
import { addressHex, transactionHashHex } from '../../src/ledger/hex-types.js';
import type { TransactionEnvelope } from '../../src/ledger/transaction-envelope.js';
import { type Floor, measurePairs, type PairedTask } from './paired-tasks.js';

const crypto = await loadCrypto('auto');
const pure = await loadCrypto('off');
const bls = await loadBls('auto');
const pureBls = await loadBls('off');

const hash = crypto.sha256(new Uint8Array(1));
const seed = crypto.sha256(hash);
// A leading zero keeps the secret below the order of the BLS groups.
const secret = seed.with(0, 0);
const { ed25519, secp256k1 } = crypto;
const [edKey, edSignature] = [ed25519.publicKey(seed), ed25519.sign(hash, seed)];
const [secpKey, secpSignature] = [secp256k1.publicKey(seed), secp256k1.sign(hash, seed)];
const [blsKey, blsSignature] = [bls.publicKey(secret), bls.sign(hash, secret)];
const inPure = (run: () => unknown): readonly Floor[] => [{ name: 'without native parts', run }];

const primitives: readonly PairedTask[] = [
  {
    name: 'ed25519 sign',
    run: () => ed25519.sign(hash, seed),
    floors: inPure(() => pure.ed25519.sign(hash, seed)),
  },
  {
    name: 'ed25519 verify',
    run: () => ed25519.verify(edSignature, hash, edKey),
    floors: inPure(() => pure.ed25519.verify(edSignature, hash, edKey)),
  },
  {
    name: 'secp256k1 sign',
    run: () => secp256k1.sign(hash, seed),
    floors: inPure(() => pure.secp256k1.sign(hash, seed)),
  },
  {
    name: 'secp256k1 verify',
    run: () => secp256k1.verify(secpSignature, hash, secpKey),
    floors: inPure(() => pure.secp256k1.verify(secpSignature, hash, secpKey)),
  },
  {
    name: 'secp256k1 recover',
    run: () => secp256k1.recover(secpSignature, hash, 0),
    floors: inPure(() => pure.secp256k1.recover(secpSignature, hash, 0)),
  },
  { name: 'BLS sign', run: () => bls.sign(hash, secret), floors: inPure(() => pureBls.sign(hash, secret)) },
  {
    name: 'BLS verify',
    run: () => bls.verify(blsSignature, hash, blsKey),
    floors: inPure(() => pureBls.verify(blsSignature, hash, blsKey)),
  },
];

const sender = ed25519Address(crypto, edKey);
const envelopes: readonly TransactionEnvelope[] = Array.from({ length: 512 }, () => {
  const signedHash = new Uint8Array(randomBytes(32));
  return {
    hash: signedHash,
    hashHex: transactionHashHex(signedHash),
    sender: addressHex(sender),
    signed: {
      transaction: {
        chain_id: 7n,
        sender,
        lane: 0,
        nonce: 0n,
        gas_limit: 21_000n,
        max_fee: 10n,
        priority_fee: 0n,
        action: { type: 'transfer', value: { to: sender, amount: 1n } },
      },
      signature: {
        type: 'ed25519',
        value: { public_key: edKey, signature: ed25519.sign(signedHash, seed) },
      },
    },
    encoded: new Uint8Array(220),
  };
});

const pool = new ExecutionPool({ setup: { native: 'auto' }, workers: 1 });
const checker = new SignatureChecker(pool);
const bare: Floor = { name: 'bare verification', run: () => ed25519.verify(edSignature, hash, edKey) };
const checked: readonly PairedTask[] = [1, 16, 512].map((together) => ({
  name: `signature of a transaction in a worker, ${together} in a turn`,
  operations: together,
  run: async () => {
    const good = await Promise.all(envelopes.slice(0, together).map((envelope) => checker.verify(envelope)));
    if (good.includes(undefined)) throw new Error('a good signature was found bad');
  },
  floors: [bare],
}));

await measurePairs('signatures', 'µs', [...primitives, ...checked]);
await pool.stop();

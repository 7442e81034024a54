// Signs transfers as fast as one thread can: the encoding of a transfer has a fixed length, so one template is patched
// in place instead of being rebuilt.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { SignTask } from './presigner.js';

const TX_DOMAIN = Buffer.from('heddle/tx/1');
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const TRANSACTION_BYTES = 118;
const SIGNED_BYTES = TRANSACTION_BYTES + 97;

interface Account {
  readonly key: KeyObject;
  readonly publicKey: Buffer;
  readonly address: Buffer;
}

const accounts = new Map<number, Account>();

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function account(index: number): Account {
  const known = accounts.get(index);
  if (known !== undefined) return known;
  const seed = sha256(Buffer.from(`heddle load account ${index}`));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const address = sha256(Uint8Array.of(0), publicKey).subarray(-20);
  const made = { key, publicKey, address };
  accounts.set(index, made);
  return made;
}

function u128(target: Buffer, value: bigint, at: number): void {
  target.writeBigUInt64LE(value & 0xffff_ffff_ffff_ffffn, at);
  target.writeBigUInt64LE(value >> 64n, at + 8);
}

/** Transfer `i` goes from account i mod n to the next one, with nonce firstNonce + ⌊i ÷ n⌋. */
function signRange(task: SignTask): Uint8Array<ArrayBuffer> {
  const out = Buffer.from(new ArrayBuffer((task.end - task.start) * SIGNED_BYTES));
  for (let i = task.start; i < task.end; i++) {
    const from = account(i % task.accounts);
    const to = account((i + 1) % task.accounts);
    const offset = (i - task.start) * SIGNED_BYTES;
    const at = out.subarray(offset, offset + SIGNED_BYTES);
    at.writeBigUInt64LE(task.chainId, 0);
    from.address.copy(at, 8);
    at.writeUInt32LE(0, 28);
    at.writeBigUInt64LE(task.firstNonce + BigInt(Math.floor(i / task.accounts)), 32);
    at.writeBigUInt64LE(task.gasLimit, 40);
    u128(at, task.maxFee, 48);
    u128(at, 0n, 64);
    at[80] = 0; // no valid_until
    at[81] = 0; // Action.Transfer
    to.address.copy(at, 82);
    u128(at, 1n, 102);
    at[118] = 0; // Signature.Ed25519
    from.publicKey.copy(at, 119);
    sign(null, sha256(TX_DOMAIN, at.subarray(0, TRANSACTION_BYTES)), from.key).copy(at, 151);
  }
  return new Uint8Array(out.buffer, out.byteOffset, out.byteLength) as Uint8Array<ArrayBuffer>;
}

parentPort?.on('message', (task: SignTask) => {
  const signed = signRange(task);
  const addresses =
    task.withAddresses === true
      ? Array.from({ length: task.accounts }, (_, i) => account(i).address.toString('hex'))
      : [];
  parentPort?.postMessage({ signed, addresses }, [signed.buffer]);
});

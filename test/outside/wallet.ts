// Keys, addresses and signed transfers, from the published formats; ed25519 by node:crypto, secp256k1 by noble.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { ascii, concat, equal, hex, sha256, unhex } from './bytes.js';
import { SignedTransaction, type Transaction, transactionHash } from './ledger-shapes.js';
import { encode } from './shapes.js';

const PKCS8_ED25519 = unhex('302e020100300506032b657004220420');
const SPKI_ED25519 = unhex('302a300506032b6570032100');

type Signature = SignedTransaction['signature'];

export interface Wallet {
  readonly address: Uint8Array;
  sign(txHash: Uint8Array): Signature;
}

/** Last 20 bytes of sha256(0x00 ‖ public key). */
export function ed25519Address(publicKey: Uint8Array): Uint8Array {
  return sha256(Uint8Array.of(0), publicKey).slice(-20);
}

/** Last 20 bytes of keccak256 of the uncompressed public key without its prefix byte. */
export function secp256k1Address(publicKey: Uint8Array): Uint8Array {
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return keccak_256(uncompressed.slice(1)).slice(-20);
}

export function ed25519Wallet(seed: Uint8Array): Wallet {
  const key: KeyObject = createPrivateKey({
    key: Buffer.from(concat(PKCS8_ED25519, seed)),
    format: 'der',
    type: 'pkcs8',
  });
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(der.subarray(-32));
  return {
    address: ed25519Address(publicKey),
    sign: (txHash) => ({
      type: 'ed25519',
      value: { public_key: publicKey, signature: new Uint8Array(sign(null, txHash, key)) },
    }),
  };
}

export function secp256k1Wallet(privateKey: Uint8Array): Wallet {
  const publicKey = secp256k1.getPublicKey(privateKey, true);
  return {
    address: secp256k1Address(publicKey),
    sign: (txHash) => ({
      type: 'secp256k1',
      value: { public_key: publicKey, signature: secp256k1.sign(txHash, privateKey, { prehash: false }) },
    }),
  };
}

/** Development account i, 0 to 9: its private key is sha256("heddle dev account " ‖ ascii(i)). */
export function devWallet(index: number): Wallet {
  return ed25519Wallet(sha256(ascii(`heddle dev account ${index}`)));
}

/** Whether the signature is good and the public key in it is the sender's. */
export function signatureHolds(signed: SignedTransaction): boolean {
  const txHash = transactionHash(signed.transaction);
  const { signature } = signed;
  if (signature.type === 'ed25519') {
    const { public_key: publicKey, signature: bytes } = signature.value;
    const key = createPublicKey({
      key: Buffer.from(concat(SPKI_ED25519, publicKey)),
      format: 'der',
      type: 'spki',
    });
    return equal(ed25519Address(publicKey), signed.transaction.sender) && verify(null, txHash, key, bytes);
  }
  const { public_key: publicKey, signature: bytes } = signature.value;
  return (
    equal(secp256k1Address(publicKey), signed.transaction.sender) &&
    secp256k1.verify(bytes, txHash, publicKey, { prehash: false, lowS: true })
  );
}

export interface TransactionFields {
  readonly chainId: bigint;
  readonly lane?: number;
  readonly nonce: bigint;
  readonly gasLimit?: bigint;
  readonly maxFee?: bigint;
  readonly priorityFee?: bigint;
  readonly validUntil?: bigint;
  readonly action: Transaction['action'];
}

export interface SentTransaction {
  readonly hash: string;
  readonly signed: SignedTransaction;
  /** borsh(SignedTransaction) as the RPC takes it. */
  readonly encoded: string;
}

export function signTransaction(wallet: Wallet, fields: TransactionFields): SentTransaction {
  const transaction: Transaction = {
    chain_id: fields.chainId,
    sender: wallet.address,
    lane: fields.lane ?? 0,
    nonce: fields.nonce,
    gas_limit: fields.gasLimit ?? 40_000n,
    max_fee: fields.maxFee ?? 1_000_000_000n,
    priority_fee: fields.priorityFee ?? 0n,
    valid_until: fields.validUntil,
    action: fields.action,
  };
  const txHash = transactionHash(transaction);
  const signed: SignedTransaction = { transaction, signature: wallet.sign(txHash) };
  return { hash: hex(txHash), signed, encoded: `0x${hex(encode(SignedTransaction, signed))}` };
}

export function transfer(to: Uint8Array, amount: bigint): Transaction['action'] {
  return { type: 'transfer', value: { to, amount } };
}

import type { Sha256 } from '../crypto/crypto.js';

/** The state key of an account: sha256(0x00 ‖ address20), 32 bytes. */
export function accountKey(crypto: Sha256, address: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(21);
  preimage.set(address, 1);
  return crypto.sha256(preimage);
}

/** The state key of a contract's slot: sha256(0x01 ‖ address20 ‖ slot32), 32 bytes. */
export function slotKey(crypto: Sha256, contract: Uint8Array, slot: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(53);
  preimage[0] = 1;
  preimage.set(contract, 1);
  preimage.set(slot, 21);
  return crypto.sha256(preimage);
}

/** Kinds of consensus record: the first byte of a record's name. */
const VALIDATOR_SET = 0;
const CHANGE = 1;
const DEALING = 2;
const ENVELOPE = 3;
const OPENINGS = 4;
const ENCRYPTION_KEYS = 5;
const DEALING_ORDER = 6;
const COMPLAINT = 7;

/** u8 kind ‖ u64be number (epoch or height) ‖ u32be place, omitting number or place if not given. */
function recordName(kind: number, number?: bigint, place?: number): Uint8Array {
  const name = new Uint8Array(1 + (number === undefined ? 0 : 8) + (place === undefined ? 0 : 4));
  name[0] = kind;
  const view = new DataView(name.buffer);
  if (number !== undefined) view.setBigUint64(1, number);
  if (place !== undefined) view.setUint32(9, place);
  return name;
}

export function validatorSetKey(crypto: Sha256): Uint8Array {
  return recordKey(crypto, recordName(VALIDATOR_SET));
}

/** The state key of the encryption keys of the next block's validator set. */
export function encryptionKeysKey(crypto: Sha256): Uint8Array {
  return recordKey(crypto, recordName(ENCRYPTION_KEYS));
}

/** The state key of an approved change, from the epoch it waits in and its order in that epoch. */
export function changeKey(crypto: Sha256, epoch: bigint, order: number): Uint8Array {
  return recordKey(crypto, recordName(CHANGE, epoch, order));
}

export function dealingKey(crypto: Sha256, epoch: bigint, dealer: number): Uint8Array {
  return recordKey(crypto, recordName(DEALING, epoch, dealer));
}

export function dealingOrderKey(crypto: Sha256, epoch: bigint): Uint8Array {
  return recordKey(crypto, recordName(DEALING_ORDER, epoch));
}

/** The state key of the complaint that voids a dealer's dealing in an epoch. */
export function complaintKey(crypto: Sha256, epoch: bigint, dealer: number): Uint8Array {
  return recordKey(crypto, recordName(COMPLAINT, epoch, dealer));
}

/** Name of the PendingEnvelope opened at a height with a given order, from 0. */
export function envelopeName(opensAt: bigint, order: number): Uint8Array {
  return recordName(ENVELOPE, opensAt, order);
}

/** Name of the OpeningSchedule: the heights with unopened envelopes. */
export function openingsName(): Uint8Array {
  return recordName(OPENINGS);
}

/** The state key of a consensus record: sha256(0x02 ‖ name), 32 bytes. */
export function recordKey(crypto: Sha256, name: Uint8Array): Uint8Array {
  const preimage = new Uint8Array(1 + name.length);
  preimage[0] = 2;
  preimage.set(name, 1);
  return crypto.sha256(preimage);
}

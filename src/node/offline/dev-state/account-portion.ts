import type { NativeMode } from '../../../config/native-mode.js';
import { ed25519Address } from '../../../crypto/address.js';
import type { Crypto } from '../../../crypto/crypto.js';
import { devSeed } from '../../../crypto/dev-accounts.js';
import { loadCrypto } from '../../../crypto/load-crypto.js';
import { ledger } from '../../../ledger/codecs.js';
import { DEV_BALANCE } from '../../../ledger/dev-genesis.js';
import { accountKey } from '../../../ledger/state-keys.js';
import { rawOf } from '../../../storage/state.js';
import { WriteBatch } from '../../../storage/write-batch.js';

export interface AccountPortion {
  readonly native: NativeMode;
  readonly from: number;
  readonly count: number;
  /** Height at which the accounts appear. */
  readonly height: bigint;
}

let loading: Promise<Crypto> | undefined;

/**
 * Derives accounts, each with the balance of a development account. An account costs about 30 µs, nearly all of it for
 * the public key.
 * @returns an encoded batch of their state entries, ascending by key
 */
export async function accountPortion(portion: AccountPortion): Promise<Uint8Array<ArrayBuffer>> {
  const { native, from, count, height } = portion;
  loading ??= loadCrypto(native, () => undefined);
  const crypto = await loading;
  const value = ledger.AccountRecord.encode({ balance: DEV_BALANCE, lanes: [], deploy_index: 0n });
  const raw = rawOf(height, value);
  const keys = Array.from({ length: count }, (_, place) => {
    const publicKey = crypto.ed25519.publicKey(devSeed(crypto, from + place));
    return accountKey(crypto, ed25519Address(crypto, publicKey));
  });
  const batch = new WriteBatch();
  for (const key of keys.sort(Buffer.compare)) batch.put('state', key, raw);
  return batch.finish();
}

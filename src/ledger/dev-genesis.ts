import { sameBytes } from '../base/same-bytes.js';
import { ed25519Address } from '../crypto/address.js';
import { type DevCrypto, devAccounts } from '../crypto/dev-accounts.js';
import type { Genesis, GenesisAccount, ValidatorSet } from '../generated/ledger.js';

export const DEV_CHAIN_ID = 9545n;

export const DEV_GAS_LIMIT = 500_000_000n;

export const DEV_BALANCE = 10n ** 24n;

/** 2026-01-01T00:00:00Z. Fixed, so that all development chains share one genesis hash. */
const DEV_GENESIS_TIME_MS = 1_767_225_600_000n;

/**
 * BLS12-381 public key (G1, compressed) of sha256("heddle dev validator bls") mod r, hard-coded so that startup needs
 * no pairing library; a test derives and compares it.
 */
const DEV_GROUP_PUBLIC_KEY = Uint8Array.from(
  Buffer.from(
    '978b0f0afe1254ae38cd6d8caf521b518b55f7b448cbb8528144f69afd358e2ae274916eb241d13775cd255f29ee027f',
    'hex',
  ),
);

/** True if a chain's group key is the public one of development chains. Resharing never changes a group key. */
export function isDevelopmentChain({ group_public_key }: Pick<ValidatorSet, 'group_public_key'>): boolean {
  return sameBytes(group_public_key, DEV_GROUP_PUBLIC_KEY);
}

/** The members of a genesis in which development chains differ; the last three only in forks. */
export type DevChain = Pick<Genesis, 'chain_id' | 'accounts'> &
  Partial<Pick<Genesis, 'timestamp_ms' | 'gas_limit' | 'base_fee'>>;

/** Genesis of a development chain: funded accounts, and one validator derived from a fixed text. */
export function devGenesis(
  crypto: DevCrypto,
  chain: DevChain = { chain_id: DEV_CHAIN_ID, accounts: devAllocation(crypto) },
): Genesis {
  const identityKey = crypto.ed25519.publicKey(crypto.sha256(Buffer.from('heddle dev validator')));
  const groupKey = DEV_GROUP_PUBLIC_KEY;
  return {
    chain_id: chain.chain_id,
    timestamp_ms: chain.timestamp_ms ?? DEV_GENESIS_TIME_MS,
    gas_limit: chain.gas_limit ?? DEV_GAS_LIMIT,
    base_fee: chain.base_fee ?? 1n,
    validator_set: {
      epoch: 0n,
      quorum: 1,
      group_public_key: groupKey,
      validators: [
        {
          index: 0,
          address: ed25519Address(crypto, identityKey),
          identity_key: identityKey,
          share_public_key: groupKey,
        },
      ],
    },
    accounts: chain.accounts,
  };
}

export function devAllocation(crypto: DevCrypto): GenesisAccount[] {
  return devAccounts(crypto).map(({ address }) => ({ address, balance: DEV_BALANCE }));
}

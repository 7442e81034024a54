import { randomBytes } from 'node:crypto';
import { type Client, devAccount } from '../../src/client/client.js';
import { signTransaction } from '../../src/client/sign-transaction.js';
import { DEV_ACCOUNT_COUNT } from '../../src/crypto/dev-accounts.js';
import { LoadAccounts } from '../../src/load/load-accounts.js';
import { PROFILES } from '../../src/load/profiles.js';
import { seededRandom } from '../../src/load/workload.js';
import type { SignedTransactions } from './submitter.js';

/** Number of transactions signed at a time, because each needs a promise. */
const PORTION = 2_000;
/** Gas of waiting transactions that an account's balance can pay for. */
const PENDING_GAS = 2_000_000_000n;

/**
 * Signs a load of the `mixed` profile of `heddle load` in advance: transfers, token transfers, swaps, payments to one
 * account. Deploys the contracts that the profile needs first. Accounts take turns, each in lane 0.
 * @param accounts number of accounts
 * @param count number of transactions
 */
export async function signMixed(
  client: Client,
  accounts: number,
  count: number,
): Promise<SignedTransactions> {
  const { signal } = new AbortController();
  const payers = Array.from({ length: DEV_ACCOUNT_COUNT }, (_, index) => devAccount(index));
  const [owner] = payers;
  if (owner === undefined) throw new Error('nobody pays');
  const load = new LoadAccounts(accounts, randomBytes(32));
  await load.fund(client, payers, signal);
  const workload = await PROFILES.mixed.prepare({ client, owner, accounts: load, signal });
  const { chain_id } = await client.status();
  const records = await Promise.all(load.signers.map(({ address }) => client.account({ address })));
  const nonces = records.map(({ lanes }) => lanes.find(({ lane }) => lane === 0)?.next_nonce ?? 0n);
  const [least = 0n] = records.map(({ balance }) => balance).sort((a, b) => (a < b ? -1 : 1));
  const random = seededRandom(1);
  const encoded: Uint8Array[] = [];
  for (let start = 0; start < count; start += PORTION) {
    const end = Math.min(count, start + PORTION);
    const portion = Array.from({ length: end - start }, (_, place) => {
      const account = (start + place) % accounts;
      const signer = load.signer(account);
      const { action, gasLimit } = workload.next(account, random);
      const nonce = (nonces[account] ?? 0n) + BigInt(Math.floor((start + place) / accounts));
      return signTransaction(
        {
          chain_id,
          sender: signer.address,
          lane: 0,
          nonce,
          gas_limit: gasLimit,
          max_fee: least / PENDING_GAS,
          priority_fee: 0n,
          action,
        },
        signer,
      );
    });
    for (const signed of await Promise.all(portion)) encoded.push(signed.encoded);
  }
  return { count, hexAt: (index) => Buffer.from(encoded[index] ?? []).toString('hex') };
}

import type { Client } from '../../client/client.js';
import type { Account } from '../../generated/node-rpc-v1.js';
import { ledger } from '../../ledger/codecs.js';
import { blockAt } from '../common-options.js';

/**
 * Reads an account after the last block, or after that of a height. An earlier state says nothing about the pool, so no
 * lane has pending transactions there.
 */
export async function accountAt(client: Client, address: Uint8Array, at?: bigint): Promise<Account> {
  if (at === undefined) return client.account({ address });
  const { account } = await client.state_proof({ contract: address, ...blockAt(at) });
  const record = account.value === undefined ? undefined : ledger.AccountRecord.decode(account.value);
  return {
    address,
    exists: record !== undefined,
    balance: record?.balance ?? 0n,
    lanes: (record?.lanes ?? []).map((lane) => ({ ...lane, pending: 0 })),
    deploy_index: record?.deploy_index ?? 0n,
    is_contract: record?.contract !== undefined,
  };
}

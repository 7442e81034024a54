import { toPrefixedHex } from '../../../src/idl/hex.js';
import { RpcClient } from '../../../test/outside/rpc.js';
import {
  devWallets,
  drained,
  newWallets,
  nodeStatus,
  submitEvery,
  Traffic,
} from '../../../test/outside/traffic.js';
import { transfer } from '../../../test/outside/wallet.js';
import type { EthereumNode } from '../ethereum/ethereum-node.js';
import { call, type Exchange, jsonRpc, type Work } from './work.js';

const ACCOUNTS = 100;
const BALANCE = 12_345_678n;
const ETHEREUM_BALANCE = `0x${BALANCE.toString(16)}`;
/** A server that only parses the request and sends the answer takes 0.95 of Heddle's processor time. */
const BARE_AIM = 1 / 0.95;

/** The name of the work that asks for the last block. */
export const TIP = 'tip';

/** The addresses whose balances are read. */
const addresses = newWallets(ACCOUNTS, 'read side by side').map(({ address }) => toPrefixedHex(address));

/** Gives each of the addresses its balance on Heddle. */
export async function fundOnHeddle(url: string): Promise<void> {
  const rpc = new RpcClient(url);
  try {
    const { chain_id: chainId } = await nodeStatus(rpc);
    const traffic = new Traffic(chainId, 1);
    const [, payer] = devWallets();
    if (payer === undefined) throw new Error('expected two development accounts');
    const transfers = addresses.map((address) =>
      traffic.next(payer, { action: transfer(Buffer.from(address.slice(2), 'hex'), BALANCE) }),
    );
    await submitEvery(rpc, transfers);
    await drained(rpc);
  } finally {
    rpc.close();
  }
}

/** Gives each of the addresses its balance on a node of Ethereum. */
export async function fundOnEthereum(node: EthereumNode): Promise<void> {
  for (const address of addresses) await node.setBalance(address, BALANCE);
}

function accountOnHeddle(address: string): Exchange {
  return call(
    'account',
    { address },
    (result) => (result as { readonly balance?: unknown }).balance === String(BALANCE),
    `a balance of ${BALANCE}`,
  );
}

function accountOnEthereum(address: string): Exchange {
  return call(
    'eth_getBalance',
    [address, 'latest'],
    (result) => result === ETHEREUM_BALANCE,
    ETHEREUM_BALANCE,
  );
}

/** One JSON-RPC batch of a read of every address. */
function batchOf(
  request: (address: string, id: number) => object,
  one: (address: string) => Exchange,
): Exchange {
  return {
    body: JSON.stringify(addresses.map(request)),
    mistake: (answer) => {
      if (!Array.isArray(answer) || answer.length !== ACCOUNTS) {
        return `expected ${ACCOUNTS} answers, got ${JSON.stringify(answer).slice(0, 1_000)}`;
      }
      return addresses
        .map((address, id) =>
          one(address).mistake(answer.find((each: { id?: unknown }) => each.id === id) ?? {}),
        )
        .find((mistake) => mistake !== undefined);
    },
  };
}

/** Reads of the tip and of accounts. */
export function readWork(): readonly Work[] {
  const [address = ''] = addresses;
  return [
    {
      name: TIP,
      heddle: call(
        'status',
        {},
        (result) => typeof (result as { readonly tip?: { readonly hash?: unknown } }).tip?.hash === 'string',
        'the tip',
      ),
      ethereum: call('eth_blockNumber', [], (result) => /^0x[0-9a-f]+$/.test(String(result)), 'a number'),
      bare: { aim: BARE_AIM },
    },
    {
      name: 'account',
      heddle: accountOnHeddle(address),
      ethereum: accountOnEthereum(address),
      bare: { aim: BARE_AIM },
    },
    {
      name: `batch of ${ACCOUNTS} accounts`,
      heddle: batchOf((each, id) => jsonRpc('account', { address: each }, id), accountOnHeddle),
      ethereum: batchOf((each, id) => jsonRpc('eth_getBalance', [each, 'latest'], id), accountOnEthereum),
    },
  ];
}

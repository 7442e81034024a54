import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, devAccount } from '../../../src/client/client.js';
import { RpcClient } from '../../outside/rpc.js';
import { drained, nodeStatus, submitEvery, Traffic } from '../../outside/traffic.js';
import { devWallet, type SentTransaction, transfer } from '../../outside/wallet.js';
import { text } from '../hex.js';
import { CONTRACTS, contractCode } from '../worlds/contract-world.js';
import { emitterCode } from './flood-contracts.js';

/** Amount of data on the chain before a flood. */
export interface WorldSize {
  /** Blocks with transfers to new addresses. */
  readonly blocks: number;
  readonly transfersABlock: number;
  /** Transactions with {@link EVENTS_A_CALL} events each. */
  readonly eventCalls: number;
}

/** Targets of floods and honest clients; posted to their threads. */
export interface FloodWorld {
  readonly chainId: number;
  /** The example token, with its interface; alice holds all of it. */
  readonly token: string;
  /** A contract with many events. */
  readonly emitter: string;
  /** The holder of the tokens. */
  readonly holder: string;
  /** A transaction with events. */
  readonly transaction: string;
  /** Addresses funded in blocks {@link first} to {@link last}. */
  readonly newcomers: readonly string[];
  readonly first: number;
  readonly last: number;
}

const EVENTS_A_CALL = 1_000;
const EVENT_BYTES = 64;
const PAYER = 2;

/** Fills a fresh development chain with the data that floods read. */
export async function prepareWorld(url: string, size: WorldSize): Promise<FloodWorld> {
  const client = connect(url);
  const alice = devAccount(0);
  const sender = client.sender(alice);
  const holder = text(alice.address);
  const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
  const code = Uint8Array.from(contractCode('token'));
  const init = ['Thread', 'THR', 0, '1000000', holder, holder];
  const token = (await sender.deploy({ code, idl, init })).contract.address;
  const emitter = (await sender.deploy({ code: emitterCode(EVENTS_A_CALL, EVENT_BYTES) })).contract.address;
  const action = {
    type: 'call',
    value: { contract: emitter, input: new Uint8Array(), value: 0n },
  } as const;
  let transaction = '';
  for (let sent = 0; sent < size.eventCalls; sent++) {
    const { hashHex, receipt } = await sender.send(action, { wait: 'included' });
    if (receipt.status.type !== 'success') throw new Error(`events: ${JSON.stringify(receipt.status)}`);
    transaction = hashHex.replace(/^0x/, '');
  }
  const { chain_id: chainId } = await client.status();
  const { portions, newcomers } = signHistory(chainId, size);
  const rpc = new RpcClient(url);
  try {
    const before = await nodeStatus(rpc);
    for (const portion of portions) {
      await submitEvery(rpc, portion);
      await drained(rpc);
    }
    const after = await nodeStatus(rpc);
    return {
      chainId: Number(chainId),
      token: text(token),
      emitter: text(emitter),
      holder,
      transaction,
      newcomers,
      first: Number(before.tip.height) + 1,
      last: Number(after.tip.height),
    };
  } finally {
    rpc.close();
  }
}

interface History {
  /** Each portion fits into one block, if nothing else fills it. */
  readonly portions: readonly (readonly SentTransaction[])[];
  readonly newcomers: readonly string[];
}

/** Signs everything in advance, because a node would close a connection that is idle for as long as signing takes. */
function signHistory(chainId: bigint, { blocks, transfersABlock }: WorldSize): History {
  const traffic = new Traffic(chainId, 1);
  const newcomers: string[] = [];
  const portions = Array.from({ length: blocks }, () =>
    Array.from({ length: transfersABlock }, () => {
      const newcomer = traffic.freshAddress();
      newcomers.push(text(newcomer));
      return traffic.next(devWallet(PAYER), { action: transfer(newcomer, 1n) });
    }),
  );
  return { portions, newcomers };
}

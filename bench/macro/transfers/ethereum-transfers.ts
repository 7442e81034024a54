import { setTimeout as sleep } from 'node:timers/promises';
import { toPrefixedHex } from '../../../src/idl/hex.js';
import { Submitter } from '../../load/submitter.js';
import { cpuSecondsOf, residentMiBOf } from '../../support/process-tree.js';
import { EthereumNode } from '../ethereum/ethereum-node.js';
import type { EthereumProgram } from '../ethereum/program.js';
import { transferAccount } from '../ethereum/transfer-accounts.js';
import type { TransferSample, TransferSettings } from './transfer-sample.js';

/** The shortest that both nodes know. */
const BLOCK_SECONDS = 1;
const BALANCE = 10n ** 24n;
const SEALED_TIMEOUT_MS = 120_000;
const POLL_MS = 25;

const SEND_RAW = {
  path: '/',
  method: 'eth_sendRawTransaction',
  params: (encoded: string) => `["0x${encoded}"]`,
};

/** Thrown if a node leaves transfers out of its blocks. */
export class UnsealedError extends Error {
  override readonly name = 'UnsealedError';
}

/**
 * Signed transfers to a new node of Ethereum.
 *
 * @param signed hexadecimal without 0x, the first `warmUp` of them before the measurement
 * @throws UnsealedError
 */
export async function ethereumTransfers(
  program: EthereumProgram,
  { accounts, connections }: TransferSettings,
  signed: readonly string[],
  warmUp: number,
): Promise<TransferSample> {
  const node = await EthereumNode.start(program, { blockSeconds: BLOCK_SECONDS });
  try {
    const addresses = Array.from({ length: accounts }, (_, i) => toPrefixedHex(transferAccount(i).address));
    for (const address of addresses) await node.setBalance(address, BALANCE);
    const submitter = new Submitter({ url: node.url, connections, inFlight: 1, batch: 0, by: SEND_RAW });
    const submit = async (part: readonly string[]): Promise<void> => {
      const first = (await blockNumber(node)) + 1;
      await submitter.submit({ count: part.length, hexAt: (index) => part[index] ?? '' });
      await sealed(node, first, part.length);
    };
    await submit(signed.slice(0, warmUp));
    const measured = signed.slice(warmUp);
    const { pids } = node;
    const cpuBefore = cpuSecondsOf(pids);
    const begin = performance.now();
    await submit(measured);
    const seconds = (performance.now() - begin) / 1000;
    const cpu = cpuSecondsOf(pids) - cpuBefore;
    const memoryMiB = residentMiBOf(pids);
    await verifyCount(node, addresses, signed.length);
    return { rate: measured.length / seconds, micros: (cpu / measured.length) * 1e6, memoryMiB };
  } finally {
    node.stop();
  }
}

async function blockNumber(node: EthereumNode): Promise<number> {
  return Number(await node.call('eth_blockNumber', []));
}

/** Waits until the blocks from `first` have `count` transactions. */
async function sealed(node: EthereumNode, first: number, count: number): Promise<void> {
  const deadline = Date.now() + SEALED_TIMEOUT_MS;
  let next = first;
  let found = 0;
  for (;;) {
    for (const tip = await blockNumber(node); next <= tip; next++) {
      found += Number(await node.call('eth_getBlockTransactionCountByNumber', [`0x${next.toString(16)}`]));
    }
    if (found >= count) return;
    if (Date.now() > deadline) {
      throw new UnsealedError(
        `${found} of ${count} transfers were in blocks after ${SEALED_TIMEOUT_MS / 1000} s`,
      );
    }
    await sleep(POLL_MS);
  }
}

/** Checks that the accounts have sent `count` transactions in all. */
async function verifyCount(node: EthereumNode, addresses: readonly string[], count: number): Promise<void> {
  let sent = 0;
  for (const address of addresses) {
    sent += Number(await node.call('eth_getTransactionCount', [address, 'latest']));
  }
  if (sent !== count) throw new Error(`${sent} of ${count} transfers are on the chain of ${node.kind}`);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, devAccount } from '../../../src/client/client.js';
import { counting } from '../contracts/compute-calls.js';
import { text } from '../hex.js';
import { CONTRACTS } from '../worlds/contract-world.js';

const COMPUTE_IDL = readFileSync(join(CONTRACTS, 'compute', 'compute.idl'), 'utf8');

const [rich, poor] = [devAccount(0), `0x${'0b'.repeat(20)}`];

/** An account without money. */
export const POOR = poor;

/** A simulated transfer of a funded account. */
export function transferCall(amount: number | string, more: object = {}): object {
  return { method: 'tx_simulate', params: { build: transfer(text(rich.address), amount), ...more } };
}

/** A simulated transfer of an account without money. */
export function poorCall(amount: number, more: object = {}): object {
  return { method: 'tx_simulate', params: { build: transfer(poor, amount), ...more } };
}

function transfer(sender: string, amount: number | string): object {
  return { sender, action: { type: 'transfer', value: { to: poor, amount } } };
}

/** A view that counts with a contract `compute`. */
export function countCall(contract: string, iterations: number, more: object = {}): object {
  return { method: 'view_call', params: { contract, input: counting(iterations), ...more } };
}

/** The same with its argument by name. */
export function namedCountCall(contract: string, iterations: string, more: object = {}): object {
  const params = { contract, idl: COMPUTE_IDL, method: 'count', args: { iterations }, ...more };
  return { method: 'view_call', params };
}

/** Makes blocks with one transfer each. @returns the height of the tip */
export async function makeBlocks(url: string, count: number): Promise<number> {
  const client = connect(url);
  const sender = client.sender(rich);
  for (let made = 0; made < count; made++) {
    await sender.transfer({ to: devAccount(1).address, amount: 1n, wait: 'included' });
  }
  return Number((await client.status()).tip.height);
}

import { connect, devAccount } from '../../../src/client/client.js';
import { text } from '../hex.js';
import { contractAbi, contractCode } from '../worlds/contract-world.js';

/** Deploys the contract `compute`. @returns its address */
export async function deployCompute(url: string): Promise<string> {
  const { contract } = await connect(url)
    .sender(devAccount(0))
    .deploy({ code: contractCode('compute') });
  return text(contract.address);
}

/** Input of a call of `compute` that counts; an iteration takes a little more than one gas. */
export function counting(iterations: number): string {
  return text(contractAbi('compute').function('count').encodeCall({ iterations }));
}

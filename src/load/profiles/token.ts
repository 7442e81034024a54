import { ExampleContract } from '../example-contracts.js';
import { randomBelow } from '../seeded-random.js';
import type { LoadProfile, LoadSetup } from '../workload.js';

/** Initial token balance of each account; a transfer moves one unit. */
const HOLDING = 10n ** 18n;

/** Every account sends tokens to random other accounts. */
export const token: LoadProfile = {
  description: 'transfers of a token among the accounts',
  prepare: async (setup) => {
    const contract = await deployToken(setup, 'Load');
    const { accounts } = setup;
    return {
      next: (_account, random) => {
        const to = accounts.signer(randomBelow(random, accounts.size)).address;
        return contract.item('transfer', { to, amount: 1n });
      },
    };
  },
};

/** Deploys a token and gives every load account an initial balance. */
export async function deployToken(
  { client, owner, accounts, signal }: LoadSetup,
  name: string,
): Promise<ExampleContract> {
  const init = {
    name,
    symbol: name.toUpperCase(),
    decimals: 18,
    supply: HOLDING * BigInt(accounts.size) * 1_000n,
    owner: owner.address,
    minter: new Uint8Array(20),
  };
  const by = { client, signer: owner, signal };
  const contract = await ExampleContract.deploy('token', init, by);
  const give = (to: Uint8Array) => contract.call('transfer', { to, amount: HOLDING }, by);
  const [first, ...others] = accounts.signers;
  // The first call measures the gas for the others: blocks are filled by gas limits.
  if (first !== undefined) await give(first.address);
  await Promise.all(others.map(({ address }) => give(address)));
  return contract;
}

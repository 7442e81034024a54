import { defaultGasLimit } from '../ledger/gas.js';
import { ExampleContract } from './example-contracts.js';
import type { LoadProfile, LoadSetup, WorkItem, Workload } from './workload.js';
import { randomBelow } from './workload.js';

/** Initial token balance of each account; a transfer moves one unit. */
const HOLDING = 10n ** 18n;
const MAX_U128 = 2n ** 128n - 1n;
const LIQUIDITY = 10n ** 20n;
const AMOUNT_IN = 1_000_000n;
/** A deadline that never passes: the largest integer that JSON represents exactly. */
const NO_DEADLINE = BigInt(Number.MAX_SAFE_INTEGER);

/** Every account pays the next one: a transaction conflicts only with those of its two accounts. */
const transfers: LoadProfile = {
  description: 'native transfers among the accounts',
  prepare: async ({ accounts }) => ({
    next: (account) => transferTo(accounts.signer(account + 1).address),
  }),
};

const hotAccount: LoadProfile = {
  description: 'native transfers of all accounts to a single one',
  prepare: async ({ owner }) => ({ next: () => transferTo(owner.address) }),
};

function transferTo(to: Uint8Array): WorkItem {
  const action = { type: 'transfer', value: { to, amount: 1n } } as const;
  return { action, gasLimit: defaultGasLimit(action) };
}

/** Every account sends tokens to random other accounts. */
const token: LoadProfile = {
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
async function deployToken(
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

/** Every account trades with one market maker, so all transactions write the same reserves. */
const amm: LoadProfile = {
  description: 'swaps of two tokens with one market maker, in both directions',
  prepare: async (setup) => {
    const { client, owner, accounts, signal } = setup;
    const byOwner = { client, signer: owner, signal };
    const a = await deployToken(setup, 'Wool');
    const b = await deployToken(setup, 'Silk');
    const init = { token_a: a.address, token_b: b.address };
    const maker = await ExampleContract.deploy('amm', init, byOwner);
    const approve = { spender: maker.address, amount: MAX_U128 };
    await a.call('approve', approve, byOwner);
    await b.call('approve', approve, byOwner);
    await maker.call(
      'add_liquidity',
      {
        amount_a: LIQUIDITY,
        amount_b: LIQUIDITY,
        min_a: 0n,
        min_b: 0n,
        to: owner.address,
        deadline_ms: NO_DEADLINE,
      },
      byOwner,
    );
    await Promise.all(
      accounts.signers.flatMap((signer) => [
        a.call('approve', approve, { client, signer, signal }),
        b.call('approve', approve, { client, signer, signal }),
      ]),
    );
    const swap = (tokenIn: ExampleContract, to: Uint8Array) => ({
      token_in: tokenIn.address,
      amount_in: AMOUNT_IN,
      min_out: 0n,
      to,
      deadline_ms: NO_DEADLINE,
    });
    await maker.call('swap', swap(a, owner.address), byOwner);
    await maker.call('swap', swap(b, owner.address), byOwner);
    return {
      next: (account, random) =>
        maker.item('swap', swap(randomBelow(random, 2) === 0 ? a : b, accounts.signer(account).address)),
    };
  },
};

/** Percentage of each profile in the mixed load. */
const PARTS = [
  { profile: transfers, percent: 50 },
  { profile: token, percent: 30 },
  { profile: amm, percent: 15 },
  { profile: hotAccount, percent: 5 },
] as const;

const mixed: LoadProfile = {
  description: '50 % transfers, 30 % token transfers, 15 % swaps, 5 % transfers to one account',
  prepare: async (setup) => {
    const workloads: { readonly workload: Workload; readonly percent: number }[] = [];
    for (const { profile, percent } of PARTS) {
      workloads.push({ workload: await profile.prepare(setup), percent });
    }
    return {
      next: (account, random) => {
        let place = randomBelow(random, 100);
        const chosen = workloads.find(({ percent }) => {
          place -= percent;
          return place < 0;
        });
        if (chosen === undefined) throw new RangeError('the parts do not add up to 100 percent');
        return chosen.workload.next(account, random);
      },
    };
  },
};

/** All load profiles by command line name. */
export const PROFILES = {
  transfers,
  token,
  'hot-account': hotAccount,
  amm,
  mixed,
} as const satisfies Readonly<Record<string, LoadProfile>>;

export type ProfileName = keyof typeof PROFILES;

export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

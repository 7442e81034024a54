import { ExampleContract } from '../example-contracts.js';
import { randomBelow } from '../seeded-random.js';
import type { LoadProfile } from '../workload.js';
import { deployToken } from './token.js';

const MAX_U128 = 2n ** 128n - 1n;
const LIQUIDITY = 10n ** 20n;
const AMOUNT_IN = 1_000_000n;
/** A deadline that never passes: the largest integer that JSON represents exactly. */
const NO_DEADLINE = BigInt(Number.MAX_SAFE_INTEGER);

/** Every account trades with one market maker, so all transactions write the same reserves. */
export const amm: LoadProfile = {
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

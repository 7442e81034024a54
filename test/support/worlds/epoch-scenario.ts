import type { PendingBlock } from '../../../src/chain/pending-blocks.js';
import { Sealing } from '../crypto/sealing.js';
import { EpochChain } from './epoch-chain.js';

/** Number of blocks in an epoch of the chain of {@link epochScenario}. */
export const SCENARIO_LENGTH = 12n;
/** A height in the middle of the chain's first epoch, with changes, dealings, and unopened envelopes. */
export const MID_EPOCH = 6n;

/**
 * A chain across two epoch boundaries: changes, dealings, and envelopes that open in their own epoch, at its end, and in
 * the next one.
 * @returns the chain, and its blocks from height 1 on
 */
export async function epochScenario(): Promise<{
  readonly chain: EpochChain;
  readonly blocks: readonly PendingBlock[];
}> {
  const chain = await EpochChain.open({ epochLength: SCENARIO_LENGTH, ceremony: true });
  const { world } = chain;
  const sealing = await Sealing.of(world);
  const blocks: PendingBlock[] = [];
  const keyOf = (height: bigint) => chain.key(height, Number(chain.epochs.validators.epoch));
  const add = async (items?: Parameters<EpochChain['advance']>[0]) => {
    blocks.push(await chain.advance(items, { keyOf }));
  };
  const addTo = async (height: bigint) => {
    while (chain.tip < height) await add();
  };
  const opensAt = [MID_EPOCH + 1n, SCENARIO_LENGTH, SCENARIO_LENGTH + 4n, MID_EPOCH + 1n];
  world.submit(...opensAt.map((height, from) => sealing.envelope({ from, opensAt: height, amount: 5n })));
  await add({ changes: [chain.change(chain.add(4), [0, 1, 2])] });
  await add({ changes: [chain.change(chain.remove(1), [0, 2, 3])] });
  await addTo(4n);
  const dealt = [3, 0, 2].map((dealer) => chain.deal(dealer));
  const [one, two, last] = dealt.map(({ dealing }) => dealing);
  if (one === undefined || two === undefined || last === undefined) throw new Error('expected dealings');
  await add({ dealings: [one] });
  await add({ dealings: [two] });
  world.submit(world.transaction({ from: 6 }));
  await add({ dealings: [last] });
  await addTo(SCENARIO_LENGTH);
  chain.hand(dealt);
  // Too few validators deal in this epoch, so its changes wait.
  await add({ changes: [chain.change(chain.remove(0), [1, 2, 3])] });
  world.submit(world.transaction({ from: 7 }));
  await addTo(SCENARIO_LENGTH + 4n);
  await add({ dealings: [chain.dealing(2)] });
  await addTo(2n * SCENARIO_LENGTH + 1n);
  return { chain, blocks };
}

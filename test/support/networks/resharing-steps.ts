import type { DealerEffect, DealerEvent, ResharingDealer } from '../../../src/consensus/resharing/dealer.js';
import type { PlayerEffect, PlayerEvent, ResharingPlayer } from '../../../src/consensus/resharing/player.js';
import { checkEvaluation } from '../../../src/ledger/validators/check-evaluation.js';
import { openShare, sealShares } from '../../../src/ledger/validators/sealed-shares.js';
import { TEST_CHAIN_ID, type ValidatorWorld } from './validators.js';

/** A player's effects after an event, with all curve work done at once; the player has an identity's keys. */
export function play(
  world: ValidatorWorld,
  player: ResharingPlayer,
  identity: number,
  event: PlayerEvent,
): Exclude<PlayerEffect, { readonly type: 'check' | 'open' }>[] {
  return player.step(event).flatMap((effect) => {
    if (effect.type === 'check') {
      const { dealer } = effect;
      const refusal = checkEvaluation(world.bls, effect.evaluation);
      return play(world, player, identity, { type: 'checked', dealer, refusal });
    }
    if (effect.type !== 'open') return [effect];
    const { encryption } = world.identity(identity);
    const { epoch, dealer, commitments } = effect.dealing;
    const opened = openShare(world, {
      chainId: TEST_CHAIN_ID,
      epoch,
      dealer,
      commitments,
      sealed: effect.sealed,
      privateKeys: [encryption.privateKey],
      encryptionKey: encryption.publicKey,
      nonce: world.random(48),
    });
    return play(world, player, identity, { type: 'opened', dealer, opened });
  });
}

/** A dealer's effects after an event, with all curve work done at once. */
export function deal(
  world: ValidatorWorld,
  dealer: ResharingDealer,
  event: DealerEvent,
): Exclude<DealerEffect, { readonly type: 'seal' }>[] {
  return dealer.step(event).flatMap((effect) => {
    if (effect.type !== 'seal') return [effect];
    return deal(world, dealer, { type: 'sealed', sealed: sealShares(world, effect.input) });
  });
}

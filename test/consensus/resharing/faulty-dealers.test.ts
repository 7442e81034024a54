import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DealerEffect, ResharingDealer } from '../../../src/consensus/resharing/dealer.js';
import { type PlayerEffect, ResharingPlayer } from '../../../src/consensus/resharing/player.js';
import { commitmentsOf, evaluationFor, type Polynomial } from '../../../src/crypto/dkg/polynomial.js';
import { encodeScalar, GROUP_ORDER } from '../../../src/crypto/scalars/scalars.js';
import type { Dealing } from '../../../src/generated/ledger.js';
import type { DealtShare } from '../../../src/generated/mesh.js';
import { checkDealing } from '../../../src/ledger/validators/check-dealing-points.js';
import { checkEvaluation } from '../../../src/ledger/validators/check-evaluation.js';
import { nextSet } from '../../../src/ledger/validators/next-set.js';
import { signTogether } from '../../support/crypto/threshold.js';
import { hex } from '../../support/hex.js';
import { deal, play } from '../../support/networks/resharing-steps.js';
import { TEST_CHAIN_ID, validatorWorld } from '../../support/networks/validators.js';

const world = validatorWorld(14);
const SEVEN = [0, 1, 2, 3, 4, 5, 6];
const MESSAGE = new TextEncoder().encode('message');

/** Seven validators that reshare among themselves; messages arrive at once or when released. */
class ResharingNetwork {
  readonly dealt = world.dealt(SEVEN);
  readonly context = {
    chainId: TEST_CHAIN_ID,
    epoch: 0n,
    currentSet: this.dealt.set,
    nextPlayers: SEVEN.map((number) => world.identity(number)),
  };
  readonly dealers = SEVEN.map(
    (index) => new ResharingDealer({ ...world, ...this.#own(index), index, share: this.#share(index) }),
  );
  readonly players = SEVEN.map(
    (index) =>
      new ResharingPlayer({
        ...world,
        ...this.#own(index),
        index,
        present: { index, share: this.#share(index) },
      }),
  );
  /** The latest dealing of each dealer. */
  readonly dealings = new Map<number, Dealing>();
  readonly #tamper: (dealt: DealtShare, player: number) => DealtShare | undefined;

  constructor(tamper: (dealt: DealtShare, player: number) => DealtShare | undefined) {
    this.#tamper = tamper;
  }

  step(dealer: number, event: Parameters<ResharingDealer['step']>[0]): void {
    const machine = this.dealers[dealer] ?? assert.fail();
    for (const effect of deal(world, machine, event)) this.#perform(dealer, effect);
  }

  give(dealt: DealtShare, player: number): void {
    const machine = this.players[player] ?? assert.fail();
    for (const effect of play(world, machine, player, { type: 'dealt', from: dealt.dealer, dealt })) {
      this.#answer(player, effect);
    }
  }

  #perform(dealer: number, effect: DealerEffect): void {
    if (effect.type === 'dealing') this.dealings.set(dealer, effect.dealing);
    if (effect.type !== 'send') return;
    const dealt = this.#tamper(effect.dealt, effect.player);
    if (dealt !== undefined) this.give(dealt, effect.player);
  }

  #answer(player: number, effect: PlayerEffect): void {
    if (effect.type === 'send') {
      this.step(effect.dealer, { type: 'acknowledged', from: player, ack: effect.ack });
    }
  }

  #own(index: number) {
    return { context: this.context, sign: world.identity(index).sign };
  }

  #share(index: number): Uint8Array {
    return this.dealt.shares[index] ?? assert.fail();
  }
}

test('all validators get a share of the next epoch despite silent, lying and late dealers', () => {
  const late: { dealt: DealtShare; player: number }[] = [];
  let held = true;
  const network = new ResharingNetwork((dealt, player) => {
    // Dealer 0 sends nothing, dealer 1 lies to two players, and dealer 2 is late for some.
    if (dealt.dealer === 0) return undefined;
    if (dealt.dealer === 1 && (player === 3 || player === 4)) return { ...dealt, share: encodeScalar(5n) };
    if (dealt.dealer === 2 && player >= 4 && held) {
      late.push({ dealt, player });
      return undefined;
    }
    return dealt;
  });
  for (const dealer of SEVEN) network.step(dealer, { type: 'start' });
  for (const dealer of SEVEN) network.step(dealer, { type: 'deadline' });
  assert.deepEqual([...network.dealings.keys()].sort(), [1, 3, 4, 5, 6]);
  held = false;
  for (const { dealt, player } of late.slice(0, 2)) network.give(dealt, player);
  const sealed = (dealer: number) => network.dealings.get(dealer)?.sealed.map(({ player }) => player);
  assert.deepEqual([sealed(1), sealed(2), sealed(3)], [[3, 4], [6], []]);

  const dealings = [2, 1, 6, 3, 5].map((dealer) => network.dealings.get(dealer) ?? assert.fail());
  for (const dealing of dealings) assert.equal(checkDealing(world, dealing, network.context), undefined);
  // Messages after the dealing do not change it.
  for (const { dealt, player } of late.slice(2)) network.give(dealt, player);
  const next = nextSet(network.dealt.set, network.context.nextPlayers, dealings);
  assert.ok(next.reshared);
  const items = { dealings, complaints: [] };
  const shares = network.players.map((player, index) => {
    const effects = play(world, player, index, { type: 'final', items, next });
    const [share, erase] = effects.filter(({ type }) => type !== 'persist');
    assert.equal(erase?.type, 'erase');
    return share?.type === 'share' ? share.share : assert.fail(share?.type);
  });
  const key = network.dealt.set.group_public_key;
  assert.equal(hex(next.set.group_public_key), hex(key));
  for (const signers of [
    [0, 1, 2, 3, 4],
    [2, 3, 4, 5, 6],
  ]) {
    assert.ok(world.bls.verify(signTogether(world.bls, MESSAGE, shares, signers), MESSAGE, key));
  }
});

test('a dealer that lies to more than f players makes no dealing', () => {
  const network = new ResharingNetwork((dealt, player) =>
    dealt.dealer === 1 && player > 3 ? { ...dealt, share: encodeScalar(5n) } : dealt,
  );
  for (const dealer of SEVEN) network.step(dealer, { type: 'start' });
  for (const dealer of SEVEN) network.step(dealer, { type: 'deadline' });
  assert.deepEqual([...network.dealings.keys()].sort(), [0, 2, 3, 4, 5, 6]);
});

test('a polynomial that is 0 at a player harms no validator', () => {
  const { dealt, context } = new ResharingNetwork(() => undefined);
  /** A random polynomial with the dealer's share at 0, and the value 0 at the player. */
  const polynomial = (dealer: number, player: number): Polynomial => {
    const constant = BigInt(`0x${hex(dealt.shares[dealer] ?? assert.fail())}`);
    const others = [3n, 5n, 7n];
    const at = BigInt(player + 1);
    const rest = others.reduceRight((sum, coefficient) => (sum * at + coefficient) % GROUP_ORDER, 0n);
    // `first` solves constant + first · at + rest · at² = 0; 1 / at comes from Fermat's little theorem.
    let inverse = 1n;
    for (let [base, power] = [at, GROUP_ORDER - 2n]; power > 0n; power >>= 1n) {
      if (power & 1n) inverse = (inverse * base) % GROUP_ORDER;
      base = (base * base) % GROUP_ORDER;
    }
    const first =
      (GROUP_ORDER * 2n - ((constant * inverse) % GROUP_ORDER) - ((rest * at) % GROUP_ORDER)) % GROUP_ORDER;
    return [constant, first, ...others];
  };
  const zero = polynomial(0, 3);
  assert.equal(evaluationFor(zero, 3), 0n);
  const commitments = commitmentsOf(world.bls, zero);
  const share = encodeScalar(0n);
  assert.equal(checkEvaluation(world.bls, { commitments, player: 3, share })?.rule, 'evaluation');
  // If all dealers did this, the player would have no share key, so the set and its shares stay.
  const dealings = SEVEN.map((dealer) => ({
    dealer,
    commitments: commitmentsOf(world.bls, polynomial(dealer, 3)),
  }));
  assert.equal(nextSet(dealt.set, context.nextPlayers, dealings).reshared, false);
});

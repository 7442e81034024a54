// Validators are away for whole epochs, by turns, while others are faulty: for many epochs, on the real rules with real
// curve work. A collector has every block and every message to the faulty validators, and tries to compute the share of the
// absent one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResharingDealer } from '../../src/consensus/resharing/dealer.js';
import { EncryptionKeeper } from '../../src/consensus/resharing/encryption-keeper.js';
import { ResharingPlayer } from '../../src/consensus/resharing/player.js';
import { sharedPoint, unmaskEvaluation } from '../../src/crypto/dkg/sealed-share.js';
import { weightsAtZero } from '../../src/crypto/scalars/lagrange.js';
import { encodeScalar, expectScalar, GROUP_ORDER, weightedSum } from '../../src/crypto/scalars/scalars.js';
import type { Complaint, Dealing, SealedShare, ValidatorSet } from '../../src/generated/ledger.js';
import { checkComplaintForm, undisputed } from '../../src/ledger/validators/check-complaint.js';
import { checkComplaint } from '../../src/ledger/validators/check-complaint-points.js';
import type { DealingContext } from '../../src/ledger/validators/check-dealing.js';
import { checkDealing } from '../../src/ledger/validators/check-dealing-points.js';
import { checkEvaluation } from '../../src/ledger/validators/check-evaluation.js';
import { nextSet } from '../../src/ledger/validators/next-set.js';
import { openShare, sealShares } from '../../src/ledger/validators/sealed-shares.js';
import { hex } from '../support/hex.js';
import { garbled, signedAgain, TEST_CHAIN_ID, validatorWorld } from '../support/networks/validators.js';
import { perTier } from '../support/sweep.js';

/** All ways to seal, for each validator that is away by turns, in 24. */
const EPOCHS = perTier(10, 50);
const world = await validatorWorld(91);
const { crypto, bls } = world;

/** One sealed share in a block. */
interface SealedOnChain {
  readonly dealing: Dealing;
  readonly sealed: SealedShare;
}

/** The dealings that made the shares of an epoch. */
interface UsedSet {
  readonly epoch: bigint;
  readonly dealers: readonly number[];
}

/** All that the network and the faulty validators ever learn. */
class Collector {
  /** Evaluations by epoch, dealer and player, however they became known. */
  readonly #known = new Map<string, bigint>();
  readonly #sealed: SealedOnChain[] = [];
  /** Published decryption keys, also scaled by the factors of the faulty validators. */
  readonly #keys: Uint8Array[] = [];
  readonly #used: UsedSet[] = [];

  /** Something that a faulty validator has dealt or received. */
  learn(epoch: bigint, dealer: number, player: number, evaluation: bigint): void {
    this.#known.set(`${epoch} ${dealer} ${player}`, evaluation);
  }

  knows(epoch: bigint, dealer: number, player: number): boolean {
    return this.#known.has(`${epoch} ${dealer} ${player}`);
  }

  /** @param factors inverses of the factors that scaled a copied ephemeral point */
  block(dealings: readonly Dealing[], complaints: readonly Complaint[], factors: readonly bigint[]): void {
    const sealed = dealings.flatMap((dealing) => dealing.sealed.map((one) => ({ dealing, sealed: one })));
    const keys = complaints.flatMap(({ shared }) => [
      shared,
      ...factors.map((factor) => sharedPoint(shared, factor)),
    ]);
    for (const key of this.#keys) for (const one of sealed) this.#try(one, key);
    this.#sealed.push(...sealed);
    this.#keys.push(...keys);
    for (const key of keys) for (const one of this.#sealed) this.#try(one, key);
  }

  #try({ dealing: { epoch, dealer, commitments }, sealed }: SealedOnChain, shared: Uint8Array): void {
    const { player } = sealed;
    const context = { chainId: TEST_CHAIN_ID, epoch, dealer, player };
    const evaluation = unmaskEvaluation(crypto, context, sealed, shared);
    if (evaluation === undefined) return;
    const dealt = { commitments, player, share: encodeScalar(evaluation) };
    if (checkEvaluation(bls, dealt) === undefined) this.learn(epoch, dealer, player, evaluation);
  }

  reshared(epoch: bigint, used: readonly Dealing[]): void {
    this.#used.push({ epoch, dealers: used.map(({ dealer }) => dealer) });
  }

  /** The shares that can be computed for a player, of any epoch so far. */
  sharesOf(player: number): readonly bigint[] {
    return this.#used.flatMap(({ epoch, dealers }) => {
      const known = dealers.map((dealer) => this.#known.get(`${epoch} ${dealer} ${player}`));
      const evaluations = known.filter((value) => value !== undefined);
      return evaluations.length < known.length ? [] : [weightedSum(evaluations, weightsAtZero(dealers))];
    });
  }

  /** The honest dealers' polynomials with enough known evaluations to compute the dealer's share. */
  openedBy(quorum: number, isFaulty: (dealer: number) => boolean): readonly string[] {
    const counts = new Map<string, number>();
    for (const key of this.#known.keys()) {
      const [epoch, dealer] = key.split(' ');
      if (isFaulty(Number(dealer))) continue;
      counts.set(`${epoch} ${dealer}`, (counts.get(`${epoch} ${dealer}`) ?? 0) + 1);
    }
    return [...counts].flatMap(([polynomial, count]) => (count >= quorum ? [polynomial] : []));
  }
}

interface Holder {
  share: Uint8Array | undefined;
  keeper: EncryptionKeeper;
}

/** What happens in an epoch. */
interface Turn {
  /** The validator that is away during all of the dealing; undefined if all are there. */
  readonly away: number | undefined;
  /** Whether it is back before the epoch's end. */
  readonly isBack: boolean;
  /** The content of the faulty dealers' sealed shares. */
  readonly seals: Seals;
}

const SEALS = ['honestly', 'garbage', 'under a copied ephemeral', 'under a scaled ephemeral'] as const;
type Seals = (typeof SEALS)[number] | 'under an earlier ephemeral';
/** The factor of a scaled ephemeral, and its inverse. */
const [FACTOR, INVERSE] = [2n, (GROUP_ORDER + 1n) / 2n];

interface Outcome {
  /** Number of dealings that the rules refuse. */
  readonly refused: number;
  readonly complaints: number;
  readonly leaked: number;
  readonly reshared: boolean;
  /** Whether each validator has a share after the epoch. */
  readonly holds: readonly boolean[];
}

/** Runs epochs of n validators, the last of them faulty. */
async function epochs(n: number, turns: readonly Turn[], faults = 1): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const collector = new Collector();
  const earlier: Dealing[] = [];
  const ALL = Array.from({ length: n }, (_, index) => index);
  const isFaulty = (index: number) => index >= n - faults;
  const { set, shares } = world.dealt(ALL);
  let present: ValidatorSet = set;
  const holders: Holder[] = ALL.map((index) => ({
    share: shares[index],
    keeper: new EncryptionKeeper([world.identity(index).encryption], async () => undefined),
  }));
  let encryptionKeys = world.encryptionKeys(ALL);
  for (const { away = -1, isBack, seals } of turns) {
    const context: DealingContext = {
      chainId: TEST_CHAIN_ID,
      epoch: present.epoch,
      currentSet: present,
      nextPlayers: ALL.map((index) => ({
        identity_key: world.identity(index).identity_key,
        encryption_key: encryptionKeys[index] ?? assert.fail(),
      })),
    };
    const players = ALL.map((index) => {
      const { share } = holders[index] ?? assert.fail();
      const own = share === undefined ? {} : { present: { index, share } };
      return new ResharingPlayer({ ...world, sign: world.identity(index).sign, context, index, ...own });
    });
    const dealings: Dealing[] = [];
    for (const index of ALL) {
      const { share, keeper } = holders[index] ?? assert.fail();
      if (index === away || share === undefined) continue;
      const { sign } = world.identity(index);
      const dealer = new ResharingDealer({ ...world, sign, context, index, share });
      const pending = dealer.step({ type: 'start' });
      pending.push(...dealer.step({ type: 'deadline' }));
      let made: Dealing | undefined;
      for (let effect = pending.shift(); effect !== undefined; effect = pending.shift()) {
        if (effect.type === 'persist') await keeper.add(effect.encryption);
        if (effect.type === 'dealing') made = effect.dealing;
        if (effect.type === 'seal') {
          for (const { player, evaluation } of isFaulty(index) ? effect.input.shares : [])
            collector.learn(present.epoch, index, player, expectScalar(evaluation));
          pending.push(...dealer.step({ type: 'sealed', sealed: sealShares(world, effect.input) }));
        }
        if (effect.type !== 'send' || effect.player === away) continue;
        const { player, dealt } = effect;
        if (isFaulty(player) || isFaulty(index))
          collector.learn(present.epoch, index, player, expectScalar(dealt.share));
        const [check] = players[player]?.step({ type: 'dealt', from: index, dealt }) ?? [];
        if (check?.type !== 'check') continue;
        const refusal = checkEvaluation(bls, check.evaluation);
        const acks = players[player]?.step({ type: 'checked', dealer: index, refusal }) ?? [];
        for (const ack of acks) {
          if (ack.type === 'send') {
            pending.push(...dealer.step({ type: 'acknowledged', from: player, ack: ack.ack }));
          }
        }
      }
      dealings.push(made ?? assert.fail('the dealer made no dealing'));
    }
    const honest = dealings.filter(({ dealer }) => !isFaulty(dealer));
    const offered = [
      ...dealings
        .filter(({ dealer }) => isFaulty(dealer))
        .map((own) => spoiled(own, { away, seals, context, collector, seen: [...honest, ...earlier] })),
      ...honest,
    ];
    const taken = offered.filter((dealing) => {
      const refused = checkDealing(world, dealing, context)?.rule;
      assert.equal(
        refused,
        dealing.sealed.length > 0 && isFaulty(dealing.dealer) && isCopied(seals) ? 'proof' : undefined,
      );
      assert.ok(dealing.sealed.every(({ player }) => player === away));
      return refused === undefined;
    });

    // The absent validator, back before the epoch's end, reads its sealed shares.
    const complaints: Complaint[] = [];
    const own = holders[away];
    const encryptionKey = encryptionKeys[away] ?? new Uint8Array(48);
    const play = async (event: Parameters<ResharingPlayer['step']>[0]) => {
      if (own === undefined) return;
      const effects = players[away]?.step(event) ?? [];
      for (let effect = effects.shift(); effect !== undefined; effect = effects.shift()) {
        if (effect.type === 'complain') {
          const found = checkComplaintForm(effect.complaint, taken, complaints);
          assert.ok('sealed' in found);
          const { commitments } = found.dealing;
          const { complaint } = effect;
          const disputed = {
            chainId: TEST_CHAIN_ID,
            complaint,
            commitments,
            sealed: found.sealed,
            encryptionKey,
          };
          assert.equal(checkComplaint(world, disputed), undefined);
          complaints.push(complaint);
        }
        if (effect.type === 'share') own.share = effect.share;
        if (effect.type === 'lost') own.share = undefined;
        if (effect.type !== 'open') continue;
        const { epoch, dealer, commitments } = effect.dealing;
        const opened = openShare(world, {
          chainId: TEST_CHAIN_ID,
          epoch,
          dealer,
          commitments,
          sealed: effect.sealed,
          privateKeys: own.keeper.privateKeys,
          encryptionKey,
          nonce: world.random(48),
        });
        effects.push(...(players[away]?.step({ type: 'opened', dealer, opened }) ?? []));
      }
    };
    if (isBack) await play({ type: 'included', items: { dealings: taken, complaints: [] } });
    collector.block(offered, complaints, [INVERSE]);
    earlier.push(...honest);

    // The epoch's end.
    const used = undisputed(taken, complaints).slice(0, present.quorum);
    const members = ALL.map((index) => ({
      ...world.identity(index),
      encryption_key: encryptionKeys[index] ?? assert.fail(),
    }));
    const next = nextSet(present, members, used);
    const items = { dealings: taken, complaints };
    for (const index of ALL) {
      if (index === away) await play({ type: 'final', items, next });
      else {
        const holder = holders[index] ?? assert.fail();
        for (const effect of players[index]?.step({ type: 'final', items, next }) ?? []) {
          if (effect.type === 'share') holder.share = effect.share;
          if (effect.type === 'lost') holder.share = undefined;
        }
      }
    }

    if (next.reshared) collector.reshared(present.epoch, used);
    const leaked = ALL.filter((dealer) => !isFaulty(dealer) && collector.knows(present.epoch, dealer, away));
    for (const index of ALL) {
      if (!isFaulty(index)) assert.deepEqual(collector.sharesOf(index), [], `shares of validator ${index}`);
    }
    assert.deepEqual(collector.openedBy(present.quorum, isFaulty), []);

    for (const [index, { share }] of holders.entries()) {
      if (share === undefined) continue;
      assert.equal(hex(bls.publicKey(share)), hex(next.set.validators[index]?.share_public_key ?? share));
    }
    encryptionKeys = encryptionKeys.map(
      (key, index) => taken.find(({ dealer }) => dealer === index)?.encryption_key ?? key,
    );
    for (const [index, { keeper }] of holders.entries()) await keeper.keepOnly(encryptionKeys[index]);
    present = next.set;
    assert.equal(hex(present.group_public_key), hex(set.group_public_key));
    outcomes.push({
      refused: offered.length - taken.length,
      complaints: complaints.length,
      leaked: leaked.length,
      reshared: next.reshared,
      holds: holders.map(({ share }) => share !== undefined),
    });
  }
  return outcomes;
}

test('of four validators, no share of an absent one becomes known in many epochs, and it votes again', async () => {
  // In every other epoch the absent validator is back in time to complain; else it reads its sealed shares later.
  const turns = Array.from({ length: EPOCHS }, (_, turn): Turn => {
    const isBack = turn % 2 === 1;
    const seals = (isBack ? SEALS[Math.floor(turn / 2) % 4] : undefined) ?? 'honestly';
    return { away: Math.floor(turn / 2) % 3, isBack, seals };
  });
  const outcomes = await epochs(4, turns);
  assert.equal(outcomes.length, EPOCHS);
  for (const [turn, { refused, complaints, leaked, reshared, holds }] of outcomes.entries()) {
    const { seals = 'honestly' } = turns[turn] ?? {};
    assert.equal(refused, isCopied(seals) ? 1 : 0);
    assert.equal(complaints, seals === 'garbage' ? 1 : 0);
    assert.equal(reshared, seals === 'honestly', 'a voided or refused dealing leaves too few');
    assert.equal(leaked, 0);
    assert.ok(holds.every(Boolean), `all vote after epoch ${turn}`);
  }
});

test('of seven validators, one that missed garbage while away gets a share again in the next epoch', async () => {
  const turns: Turn[] = SEALS.slice(1).flatMap((seals, away) => [
    { away, isBack: false, seals },
    { away: undefined, isBack: false, seals: 'honestly' },
    { away, isBack: true, seals },
  ]);
  for (const [turn, { complaints, leaked, reshared, holds }] of (await epochs(7, turns)).entries()) {
    const { away, isBack = false, seals = 'honestly' } = turns[turn] ?? {};
    assert.ok(reshared, `epoch ${turn}`);
    assert.equal(complaints, isBack && seals === 'garbage' ? 1 : 0);
    assert.equal(leaked, 0);
    const isLost = away !== undefined && !isBack && seals === 'garbage';
    assert.deepEqual(
      holds,
      holds.map((_, index) => !(isLost && index === away)),
      `epoch ${turn}`,
    );
  }
});

for (const [validators, faults] of [
  [4, 1],
  [7, 2],
] as const) {
  test(`${faults} of ${validators} validators that seal garbage epoch after epoch silence nobody`, async () => {
    // The absent validator does not deal, so all is sealed to one key.
    const garbage = { away: 0, isBack: true, seals: 'garbage' } as const;
    const earlier = { away: 0, isBack: true, seals: 'under an earlier ephemeral' } as const;
    const outcomes = await epochs(validators, [garbage, garbage, earlier, garbage, garbage], faults);
    for (const [turn, { refused, complaints, leaked, holds }] of outcomes.entries()) {
      assert.deepEqual([refused, complaints], turn === 2 ? [faults, 0] : [0, faults]);
      assert.equal(leaked, 0);
      assert.ok(holds.every(Boolean), `all vote after epoch ${turn}`);
    }
  });
}

function isCopied(seals: Seals): boolean {
  return seals.startsWith('under');
}

/** What a faulty dealer does to its dealing. */
interface Spoiling {
  readonly away: number;
  readonly seals: Seals;
  readonly context: DealingContext;
  /** The honest dealings that it has seen, the latest first. */
  readonly seen: readonly Dealing[];
  readonly collector: Collector;
}

/** A faulty dealer's dealing, which it makes after it has seen the others'. */
function spoiled(own: Dealing, { away, seals, context, collector, seen }: Spoiling): Dealing {
  const { dealer } = own;
  const [share] = own.sealed;
  if (share === undefined || seals === 'honestly') return own;
  if (seals === 'garbage') return garbled(world, dealer, TEST_CHAIN_ID, own, context.nextPlayers);
  const closed = seen.filter(({ epoch, dealer: other }) => {
    const isDue = seals !== 'under an earlier ephemeral' || epoch < context.epoch;
    return isDue && !collector.knows(epoch, other, away);
  });
  const copied = closed.flatMap(({ sealed }) => sealed).find(({ player }) => player === away);
  const { ephemeral, ...theirs } = copied ?? assert.fail('nothing to copy');
  const sealed =
    seals === 'under a scaled ephemeral'
      ? { ...share, ephemeral: sharedPoint(ephemeral, FACTOR), share: world.random(32).with(0, 0) }
      : { ...theirs, ephemeral };
  return signedAgain(world, dealer, TEST_CHAIN_ID, { ...own, sealed: [sealed] });
}

// Validators are away for whole epochs, by turns, while another one is faulty: for many epochs, on the real rules with real
// curve work. A collector has every block and every message to the faulty validator, and tries to compute the share of the
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
import { maxFaulty } from '../../src/ledger/validators/quorum.js';
import { openShare, sealShares } from '../../src/ledger/validators/sealed-shares.js';
import { hex } from '../support/hex.js';
import { perTier } from '../support/sweep.js';
import { signedAgain, TEST_CHAIN_ID, validatorWorld } from '../support/validators.js';

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

/** All that the network and the faulty validator ever learn. */
class Collector {
  /** Evaluations by epoch, dealer and player, however they became known. */
  readonly #known = new Map<string, bigint>();
  readonly #sealed: SealedOnChain[] = [];
  /** Published decryption keys, also scaled by the factors of the faulty validator. */
  readonly #keys: Uint8Array[] = [];
  readonly #used: UsedSet[] = [];

  /** Something that the faulty validator has dealt or received. */
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
  openedBy(quorum: number, faulty: number): readonly string[] {
    const counts = new Map<string, number>();
    for (const key of this.#known.keys()) {
      const [epoch, dealer] = key.split(' ');
      if (Number(dealer) === faulty) continue;
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
  /** The content of the faulty dealer's sealed share. */
  readonly seals: Seals;
}

const SEALS = ['honestly', 'garbage', 'under a copied ephemeral', 'under a scaled ephemeral'] as const;
type Seals = (typeof SEALS)[number] | 'under an earlier ephemeral';

interface Outcome {
  readonly complaints: number;
  readonly leaked: number;
  readonly reshared: boolean;
  /** Whether each validator has a share after the epoch. */
  readonly holds: readonly boolean[];
}

/** Runs epochs of n validators, the last of them faulty. */
async function epochs(n: number, turns: readonly Turn[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const collector = new Collector();
  const earlier: Dealing[] = [];
  const ALL = Array.from({ length: n }, (_, index) => index);
  const FAULTY = n - 1;
  const { set, shares } = world.dealt(ALL);
  let present: ValidatorSet = set;
  const holders: Holder[] = ALL.map((index) => ({
    share: shares[index],
    keeper: new EncryptionKeeper([world.identity(index).encryption], async () => undefined),
  }));
  let encryptionKeys = world.encryptionKeys(ALL);
  for (const { away = -1, isBack, seals } of turns) {
    const context: DealingContext = {
      ...{ chainId: TEST_CHAIN_ID, epoch: present.epoch, currentSet: present },
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
      await keeper.noteEpoch(encryptionKeys[index] ?? assert.fail(), maxFaulty(n));
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
          for (const { player, evaluation } of index === FAULTY ? effect.input.shares : [])
            collector.learn(present.epoch, FAULTY, player, expectScalar(evaluation));
          pending.push(...dealer.step({ type: 'sealed', sealed: sealShares(world, effect.input) }));
        }
        if (effect.type !== 'send' || effect.player === away) continue;
        const { player, dealt } = effect;
        if (player === FAULTY || index === FAULTY)
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
    const { factor, dealings: spoiled } = spoil(dealings, {
      faulty: FAULTY,
      away,
      seals,
      earlier,
      collector,
    });
    for (const dealing of spoiled) {
      assert.equal(checkDealing(world, dealing, context), undefined);
      assert.ok(dealing.sealed.every(({ player }) => player === away));
    }

    // The absent validator, back before the epoch's end, reads its sealed shares.
    const complaints: Complaint[] = [];
    const own = holders[away];
    const encryptionKey = encryptionKeys[away] ?? new Uint8Array(48);
    const play = async (event: Parameters<ResharingPlayer['step']>[0]) => {
      if (own === undefined) return;
      const effects = players[away]?.step(event) ?? [];
      for (let effect = effects.shift(); effect !== undefined; effect = effects.shift()) {
        if (effect.type === 'complain') {
          if (!(await own.keeper.countComplaint(encryptionKey, effect.complaint))) continue;
          const found = checkComplaintForm(effect.complaint, spoiled, complaints);
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
          ...{ chainId: TEST_CHAIN_ID, epoch, dealer, commitments, sealed: effect.sealed },
          privateKeys: own.keeper.privateKeys,
          encryptionKey,
          nonce: world.random(48),
        });
        effects.push(...(players[away]?.step({ type: 'opened', dealer, opened }) ?? []));
      }
    };
    if (isBack) await play({ type: 'included', items: { dealings: spoiled, complaints: [] } });
    collector.block(spoiled, complaints, factor === undefined ? [] : [factor]);
    earlier.push(...dealings);

    // The epoch's end.
    const used = undisputed(spoiled, complaints).slice(0, present.quorum);
    const members = ALL.map((index) => ({
      ...world.identity(index),
      encryption_key: encryptionKeys[index] ?? assert.fail(),
    }));
    const next = nextSet(present, members, used);
    const items = { dealings: spoiled, complaints };
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
    const leaked = ALL.filter((dealer) => dealer !== FAULTY && collector.knows(present.epoch, dealer, away));
    for (const index of ALL) {
      if (index !== FAULTY) assert.deepEqual(collector.sharesOf(index), [], `shares of validator ${index}`);
    }
    assert.deepEqual(collector.openedBy(present.quorum, FAULTY), []);

    for (const [index, { share }] of holders.entries()) {
      if (share === undefined) continue;
      assert.equal(hex(bls.publicKey(share)), hex(next.set.validators[index]?.share_public_key ?? share));
    }
    encryptionKeys = encryptionKeys.map(
      (key, index) => spoiled.find(({ dealer }) => dealer === index)?.encryption_key ?? key,
    );
    for (const [index, { keeper }] of holders.entries()) await keeper.keepOnly(encryptionKeys[index]);
    present = next.set;
    assert.equal(hex(present.group_public_key), hex(set.group_public_key));
    outcomes.push({
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
  for (const [turn, { complaints, leaked, reshared, holds }] of outcomes.entries()) {
    const { seals = 'honestly' } = turns[turn] ?? {};
    assert.equal(complaints, seals === 'honestly' ? 0 : 1);
    assert.equal(reshared, seals === 'honestly', 'a voided dealing leaves too few');
    // The limit of the scheme: a complaint about garbage under another dealer's ephemeral opens that one evaluation.
    assert.equal(leaked, seals.startsWith('under') ? 1 : 0);
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
    assert.equal(complaints, isBack ? 1 : 0);
    assert.equal(leaked, isBack && seals.startsWith('under') ? 1 : 0);
    const isLost = away !== undefined && !isBack;
    assert.deepEqual(
      holds,
      holds.map((_, index) => !(isLost && index === away)),
      `epoch ${turn}`,
    );
  }
});

test('a faulty dealer that returns to earlier ephemerals opens one evaluation, and no second complaint follows', async () => {
  const turns: Turn[] = [
    { away: 0, isBack: false, seals: 'honestly' },
    ...Array.from(
      { length: 3 },
      () => ({ away: 0, isBack: true, seals: 'under an earlier ephemeral' }) as const,
    ),
    { away: undefined, isBack: false, seals: 'honestly' },
    { away: 1, isBack: false, seals: 'honestly' },
    { away: 1, isBack: true, seals: 'under an earlier ephemeral' },
  ];
  const outcomes = await epochs(4, turns);
  assert.deepEqual(
    outcomes.map(({ complaints }) => complaints),
    [0, 1, 0, 0, 0, 0, 1],
  );
  // Without a complaint, the garbage counts, and validator 0 has no share until all deal honestly.
  assert.deepEqual(
    outcomes.map(({ holds }) => holds[0]),
    [true, true, false, false, true, true, true],
  );
});

/** What a faulty dealer does to its dealing. */
interface Spoiling {
  readonly faulty: number;
  readonly away: number;
  readonly seals: Seals;
  /** All dealings of earlier epochs. */
  readonly earlier: readonly Dealing[];
  readonly collector: Collector;
}

/**
 * Replaces the faulty dealer's dealing, which it makes after it has seen the others', and puts it first.
 * @returns the dealings in block order, and the inverse of the factor by which the copied ephemeral was scaled
 */
function spoil(
  dealings: readonly Dealing[],
  { faulty, away, seals, earlier, collector }: Spoiling,
): { readonly factor: bigint | undefined; readonly dealings: readonly Dealing[] } {
  const own = dealings.find(({ dealer }) => dealer === faulty);
  const victim = dealings.find(({ dealer }) => dealer !== faulty);
  const copied = victim?.sealed.find(({ player }) => player === away)?.ephemeral;
  const closed = earlier.find(
    ({ epoch, dealer, sealed }) =>
      dealer !== faulty &&
      sealed.some(({ player }) => player === away) &&
      !collector.knows(epoch, dealer, away),
  );
  const [share] = own?.sealed ?? [];
  if (own === undefined || share === undefined || copied === undefined || seals === 'honestly') {
    return { factor: undefined, dealings };
  }
  const ephemeral = {
    garbage: share.ephemeral,
    'under a copied ephemeral': copied,
    'under a scaled ephemeral': sharedPoint(copied, 2n),
    'under an earlier ephemeral': closed?.sealed.find(({ player }) => player === away)?.ephemeral ?? copied,
  }[seals];
  const sealed = [{ ...share, ephemeral, share: world.random(32).with(0, 0) }];
  const garbage = signedAgain(world, faulty, TEST_CHAIN_ID, { ...own, sealed });
  return {
    factor: (GROUP_ORDER + 1n) / 2n,
    dealings: [garbage, ...dealings.filter((dealing) => dealing !== own)],
  };
}

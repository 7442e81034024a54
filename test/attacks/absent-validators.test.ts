// Validators are away for whole epochs, by turns, while another one is faulty: for 50 epochs, on the real rules with real
// curve work. A collector has every block and every message to the faulty validator, and tries to compute the share of the
// absent one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResharingDealer } from '../../src/consensus/resharing/dealer.js';
import { ResharingPlayer } from '../../src/consensus/resharing/player.js';
import { sharedPoint, unmaskEvaluation } from '../../src/crypto/dkg/sealed-share.js';
import { weightsAtZero } from '../../src/crypto/scalars/lagrange.js';
import {
  encodeScalar,
  expectScalar,
  GROUP_ORDER,
  modOrder,
  weightedSum,
} from '../../src/crypto/scalars/scalars.js';
import type { Complaint, Dealing, SealedShare, ValidatorSet } from '../../src/generated/ledger.js';
import type { DealtShare } from '../../src/generated/mesh.js';
import { checkComplaintForm, undisputed } from '../../src/ledger/validators/check-complaint.js';
import { checkComplaint } from '../../src/ledger/validators/check-complaint-points.js';
import type { DealingContext } from '../../src/ledger/validators/check-dealing.js';
import { checkDealing } from '../../src/ledger/validators/check-dealing-points.js';
import { checkEvaluation } from '../../src/ledger/validators/check-evaluation.js';
import { nextSet } from '../../src/ledger/validators/next-set.js';
import { openShare, sealShares } from '../../src/ledger/validators/sealed-shares.js';
import { hex } from '../support/hex.js';
import { signedAgain, TEST_CHAIN_ID, validatorWorld } from '../support/validators.js';

const world = await validatorWorld(91);
const { crypto, bls } = world;

/** One sealed share in a block. */
interface SealedOnChain {
  readonly dealing: Dealing;
  readonly sealed: SealedShare;
}

/** All that the network and the faulty validator know about one epoch. */
class Collector {
  constructor(readonly faulty: number) {}

  /** Evaluations by dealer and player, however they became known. */
  readonly known = new Map<string, bigint>();
  readonly #sealed: SealedOnChain[] = [];
  readonly #keys: Uint8Array[] = [];

  /** A message to the faulty validator. */
  message({ dealer, share }: DealtShare): void {
    this.known.set(`${dealer} ${this.faulty}`, expectScalar(share));
  }

  block(dealings: readonly Dealing[], complaints: readonly Complaint[]): void {
    for (const dealing of dealings) {
      for (const sealed of dealing.sealed) this.#sealed.push({ dealing, sealed });
    }
    for (const { shared } of complaints) this.#keys.push(shared);
  }

  /** Tries every published decryption key, also multiplied by each factor, on every sealed share. */
  tryKeys(factors: readonly bigint[]): void {
    for (const key of this.#keys) {
      for (const shared of [key, ...factors.map((factor) => sharedPoint(key, factor))]) {
        for (const { dealing, sealed } of this.#sealed) this.#try(dealing, sealed, shared);
      }
    }
  }

  #try({ epoch, dealer, commitments }: Dealing, sealed: SealedShare, shared: Uint8Array): void {
    const { player } = sealed;
    const context = { chainId: TEST_CHAIN_ID, epoch, dealer, player };
    const evaluation = unmaskEvaluation(crypto, context, sealed, shared);
    if (evaluation === undefined) return;
    const dealt = { commitments, player, share: encodeScalar(evaluation) };
    if (checkEvaluation(bls, dealt) === undefined) this.known.set(`${dealer} ${player}`, evaluation);
  }

  /** The next share of a player, if the evaluations of all used dealings are known. */
  shareOf(player: number, used: readonly Dealing[]): bigint | undefined {
    const evaluations = used.map(({ dealer }) => this.known.get(`${dealer} ${player}`));
    if (evaluations.some((value) => value === undefined)) return undefined;
    return weightedSum(
      evaluations.map((value) => value ?? 0n),
      weightsAtZero(used.map(({ dealer }) => dealer)),
    );
  }
}

interface Holder {
  share: Uint8Array | undefined;
  /** The private encryption keys, oldest first. */
  keys: Uint8Array[];
}

/** What happens in an epoch. */
interface Turn {
  /** The validator that is away during all of the dealing; undefined if all are there. */
  readonly away: number | undefined;
  /** Whether it is back before the epoch's end. */
  readonly isBack: boolean;
  /** The content of the faulty dealer's sealed share. */
  readonly seals: 'honestly' | 'garbage' | 'under a copied ephemeral' | 'under a scaled ephemeral';
}

interface Outcome {
  readonly complaints: number;
  readonly leaked: number;
  readonly reshared: boolean;
  /** Whether each validator has a share after the epoch. */
  readonly holds: readonly boolean[];
}

/** Runs epochs of n validators, the last of them faulty. */
function* epochs(n: number, turns: readonly Turn[]): Generator<Outcome> {
  const ALL = Array.from({ length: n }, (_, index) => index);
  const FAULTY = n - 1;
  const { set, shares } = world.dealt(ALL);
  let present: ValidatorSet = set;
  const holders: Holder[] = ALL.map((index) => ({
    share: shares[index],
    keys: [world.identity(index).encryption.privateKey],
  }));
  let encryptionKeys = world.encryptionKeys(ALL);
  for (const { away = -1, isBack, seals } of turns) {
    const collector = new Collector(FAULTY);
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
    const renewed = new Map<number, Uint8Array>();
    for (const index of ALL) {
      const { share } = holders[index] ?? assert.fail();
      if (index === away || share === undefined) continue;
      const { sign } = world.identity(index);
      const dealer = new ResharingDealer({ ...world, sign, context, index, share });
      const pending = dealer.step({ type: 'start' });
      pending.push(...dealer.step({ type: 'deadline' }));
      let made: Dealing | undefined;
      for (let effect = pending.shift(); effect !== undefined; effect = pending.shift()) {
        if (effect.type === 'persist') renewed.set(index, effect.encryption.privateKey);
        if (effect.type === 'dealing') made = effect.dealing;
        if (effect.type === 'seal') {
          pending.push(...dealer.step({ type: 'sealed', sealed: sealShares(world, effect.input) }));
        }
        if (effect.type !== 'send' || effect.player === away) continue;
        const { player, dealt } = effect;
        if (player === FAULTY) collector.message(dealt);
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
    const { factor, dealings: spoiled } = spoil(dealings, FAULTY, away, seals);
    for (const dealing of spoiled) {
      assert.equal(checkDealing(world, dealing, context), undefined);
      assert.ok(dealing.sealed.every(({ player }) => player === away));
    }

    // The absent validator, back before the epoch's end, reads its sealed shares.
    const complaints: Complaint[] = [];
    const own: Holder = holders[away] ?? { share: undefined, keys: [] };
    const encryptionKey = encryptionKeys[away] ?? new Uint8Array(48);
    const play = (event: Parameters<ResharingPlayer['step']>[0]) => {
      const effects = players[away]?.step(event) ?? [];
      for (let effect = effects.shift(); effect !== undefined; effect = effects.shift()) {
        if (effect.type === 'complain') {
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
          privateKeys: own.keys,
          encryptionKey,
          nonce: world.random(48),
        });
        effects.push(...(players[away]?.step({ type: 'opened', dealer, opened }) ?? []));
      }
    };
    if (isBack) play({ type: 'included', items: { dealings: spoiled, complaints: [] } });
    collector.block(spoiled, complaints);
    collector.tryKeys(factor === undefined ? [] : [factor]);

    // The epoch's end.
    const used = undisputed(spoiled, complaints).slice(0, present.quorum);
    const members = ALL.map((index) => ({
      ...world.identity(index),
      encryption_key: encryptionKeys[index] ?? assert.fail(),
    }));
    const next = nextSet(present, members, used);
    const items = { dealings: spoiled, complaints };
    for (const index of ALL) {
      if (index === away) play({ type: 'final', items, next });
      else {
        const holder = holders[index] ?? assert.fail();
        for (const effect of players[index]?.step({ type: 'final', items, next }) ?? []) {
          if (effect.type === 'share') holder.share = effect.share;
          if (effect.type === 'lost') holder.share = undefined;
        }
      }
    }

    // The faulty validator knows its own polynomial and share. That and everything public is not enough.
    const faultyDealing = spoiled.find(({ dealer }) => dealer === FAULTY);
    if (faultyDealing !== undefined) {
      // A stand-in for the faulty dealer's evaluation: it would be known, so only the others' are missing.
      collector.known.set(`${FAULTY} ${away}`, 0n);
    }
    const leaked = ALL.filter((dealer) => dealer !== FAULTY && collector.known.has(`${dealer} ${away}`));
    assert.ok(leaked.length <= complaints.length, 'at most one evaluation for each garbage dealing');
    if (next.reshared) assert.equal(collector.shareOf(away, used), undefined);
    const faultyShare = holders[FAULTY]?.share ?? assert.fail('the faulty validator takes part');
    assert.ok(!canForge(next.set, faultyShare, [...collector.known.values()]));

    for (const [index, { share }] of holders.entries()) {
      if (share === undefined) continue;
      assert.equal(hex(bls.publicKey(share)), hex(next.set.validators[index]?.share_public_key ?? share));
    }
    encryptionKeys = encryptionKeys.map(
      (key, index) => spoiled.find(({ dealer }) => dealer === index)?.encryption_key ?? key,
    );
    for (const [index, key] of renewed) holders[index] = { share: holders[index]?.share, keys: [key] };
    present = next.set;
    assert.equal(hex(present.group_public_key), hex(set.group_public_key));
    yield {
      complaints: complaints.length,
      leaked: leaked.length,
      reshared: next.reshared,
      holds: holders.map(({ share }) => share !== undefined),
    };
  }
}

const SEALS = ['honestly', 'garbage', 'under a copied ephemeral', 'under a scaled ephemeral'] as const;

test('of four validators, no share of an absent one becomes known in 50 epochs, and it votes again', () => {
  // In every other epoch the absent validator is back in time to complain; else it reads its sealed shares later.
  const turns = Array.from({ length: 50 }, (_, turn): Turn => {
    const isBack = turn % 2 === 1;
    const seals = (isBack ? SEALS[Math.floor(turn / 2) % 4] : undefined) ?? 'honestly';
    return { away: Math.floor(turn / 3) % 3, isBack, seals };
  });
  const outcomes = [...epochs(4, turns)];
  assert.equal(outcomes.length, 50);
  for (const [turn, { complaints, leaked, reshared, holds }] of outcomes.entries()) {
    const { seals = 'honestly' } = turns[turn] ?? {};
    assert.equal(complaints, seals === 'honestly' ? 0 : 1);
    assert.equal(reshared, seals === 'honestly', 'a voided dealing leaves too few');
    // The limit of the scheme: a complaint about garbage under another dealer's ephemeral opens that one evaluation.
    assert.equal(leaked, seals.startsWith('under') ? 1 : 0);
    assert.ok(holds.every(Boolean), `all vote after epoch ${turn}`);
  }
});

test('of seven validators, one that missed garbage while away gets a share again in the next epoch', () => {
  const turns: Turn[] = SEALS.slice(1).flatMap((seals, away) => [
    { away, isBack: false, seals },
    { away: undefined, isBack: false, seals: 'honestly' },
    { away, isBack: true, seals },
  ]);
  for (const [turn, { complaints, leaked, reshared, holds }] of [...epochs(7, turns)].entries()) {
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

/**
 * Replaces the faulty dealer's dealing, which it makes after it has seen the others', and puts it first.
 * @returns the dealings in block order, and the inverse of the factor by which the copied ephemeral was scaled
 */
function spoil(
  dealings: readonly Dealing[],
  faulty: number,
  away: number,
  seals: Turn['seals'],
): { readonly factor: bigint | undefined; readonly dealings: readonly Dealing[] } {
  const own = dealings.find(({ dealer }) => dealer === faulty);
  const victim = dealings.find(({ dealer }) => dealer !== faulty);
  const copied = victim?.sealed.find(({ player }) => player === away)?.ephemeral;
  const [share] = own?.sealed ?? [];
  if (own === undefined || share === undefined || copied === undefined || seals === 'honestly') {
    return { factor: undefined, dealings };
  }
  const ephemeral = {
    garbage: share.ephemeral,
    'under a copied ephemeral': copied,
    'under a scaled ephemeral': sharedPoint(copied, 2n),
  }[seals];
  const sealed = [{ ...share, ephemeral, share: world.random(32).with(0, 0) }];
  const garbage = signedAgain(world, faulty, TEST_CHAIN_ID, { ...own, sealed });
  return {
    factor: (GROUP_ORDER + 1n) / 2n,
    dealings: [garbage, ...dealings.filter((dealing) => dealing !== own)],
  };
}

/** Whether these values, the faulty validator's share among them, and one honest vote make a certificate. */
function canForge({ validators, quorum }: ValidatorSet, own: Uint8Array, values: readonly bigint[]): boolean {
  const keys = new Map(validators.map(({ index, share_public_key }) => [hex(share_public_key), index]));
  const found = new Set<number>();
  for (const value of [expectScalar(own), ...values.map(modOrder)]) {
    if (value === 0n) continue;
    const index = keys.get(hex(bls.publicKey(encodeScalar(value))));
    if (index !== undefined) found.add(index);
  }
  return found.size + 1 >= quorum;
}

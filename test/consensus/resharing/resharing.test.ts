import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type PlayerEffect, ResharingPlayer } from '../../../src/consensus/resharing/player.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import type { Dealing, ValidatorSet } from '../../../src/generated/ledger.js';
import type { DealtShare } from '../../../src/generated/mesh.js';
import type { DealingContext } from '../../../src/ledger/validators/check-dealing.js';
import { checkDealing } from '../../../src/ledger/validators/check-dealing-points.js';
import type { NextSet } from '../../../src/ledger/validators/next-set.js';
import { nextSet } from '../../../src/ledger/validators/next-set.js';
import { maxFaulty, quorumOf } from '../../../src/ledger/validators/quorum.js';
import { signTogether } from '../../support/crypto/threshold.js';
import { hex } from '../../support/hex.js';
import { play } from '../../support/networks/resharing-steps.js';
import {
  honestDealing,
  TEST_CHAIN_ID,
  type ValidatorWorld,
  validatorWorld,
} from '../../support/networks/validators.js';
import { sweep } from '../../support/sweep.js';

const MESSAGE = new TextEncoder().encode('message');

/** The holders of an epoch: identity numbers, validator set, and shares by index. */
interface Epoch {
  readonly members: readonly number[];
  readonly set: ValidatorSet;
  readonly shares: readonly Uint8Array[];
}

interface Dealer {
  readonly index: number;
  /** Players that do not acknowledge the dealing. */
  readonly silent: readonly number[];
}

/** Reshares one epoch to the next members, with the given dealers in block order of their dealings. */
function reshare(
  world: ValidatorWorld,
  present: Epoch,
  members: readonly number[],
  dealers: readonly Dealer[],
) {
  const context: DealingContext = {
    chainId: TEST_CHAIN_ID,
    epoch: present.set.epoch,
    currentSet: present.set,
    nextPlayers: members.map((number) => world.identity(number)),
  };
  const dealings: Dealing[] = [];
  const sent: DealtShare[][] = [];
  for (const { index, silent } of dealers) {
    const made = honestDealing(world, {
      context,
      dealer: { index, identity: present.members[index] ?? -1 },
      share: present.shares[index] ?? new Uint8Array(0),
      players: members,
      silent,
    });
    assert.equal(checkDealing(world, made.dealing, context), undefined);
    dealings.push(made.dealing);
    sent.push([...made.dealt]);
  }
  const next = nextSet(
    present.set,
    members.map((number) => world.identity(number)),
    dealings,
  );
  const results = members.map((number, index) => {
    const presentIndex = present.members.indexOf(number);
    const share = present.shares[presentIndex];
    const player = new ResharingPlayer({
      ...world,
      sign: world.identity(number).sign,
      context,
      index,
      ...(share === undefined ? {} : { present: { index: presentIndex, share } }),
    });
    for (const [place, { index: dealer, silent }] of dealers.entries()) {
      const dealt = sent[place]?.[index];
      if (!silent.includes(index) && dealt !== undefined) receive(world, player, dealer, dealt);
    }
    return play(world, player, number, { type: 'final', items: { dealings, complaints: [] }, next }).filter(
      ({ type }) => type !== 'persist',
    );
  });
  return { context, dealings, next, results };
}

/** Delivers a dealing to a player with its check result; returns the player's reaction. */
function receive(
  world: ValidatorWorld,
  player: ResharingPlayer,
  dealer: number,
  dealt: DealtShare,
): PlayerEffect[] {
  return play(world, player, -1, { type: 'dealt', from: dealer, dealt });
}

function sharesOf(results: readonly (readonly PlayerEffect[])[]): Uint8Array[] {
  return results.map((effects) => {
    const [first, last] = effects;
    assert.ok(first?.type === 'share', `${first?.type}`);
    assert.equal(last?.type, 'erase');
    return first.share;
  });
}

function nextEpoch(members: readonly number[], next: NextSet, results: readonly PlayerEffect[][]): Epoch {
  return { members, set: next.set, shares: sharesOf(results) };
}

function genesisOf(world: ValidatorWorld, members: readonly number[]): Epoch {
  return { members, ...world.dealt(members) };
}

const world = validatorWorld(3);

test('from 4 to 5, 7 and 4 validators the group key stays, any quorum signs under it, and one fewer does not', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const pick = (from: number, count: number, salt: number) =>
        Array.from({ length: from }, (_, index) => index)
          .sort((a, b) => mixed(seed + salt, a) - mixed(seed + salt, b))
          .slice(0, count);
      let epoch = genesisOf(world, [0, 1, 2, 3]);
      const key = hex(epoch.set.group_public_key);
      for (const [step, members] of [
        [0, 1, 2, 3, 4],
        [0, 1, 3, 4, 5, 6, 7],
        [1, 5, 6, 7],
      ].entries()) {
        const more = mixed(seed, step) % 2;
        const count = Math.min(epoch.set.quorum + more, epoch.members.length);
        const dealers = pick(epoch.members.length, count, step).map((index) => ({
          index,
          silent: pick(members.length, mixed(seed, index) % (maxFaulty(members.length) + 1), step + index),
        }));
        const { next, results } = reshare(world, epoch, members, dealers);
        assert.ok(next.reshared);
        epoch = nextEpoch(members, next, results);
        assert.equal(hex(epoch.set.group_public_key), key);
        assert.equal(epoch.set.epoch, BigInt(step + 1));
        assert.equal(epoch.set.quorum, quorumOf(members.length));
        const signers = pick(members.length, epoch.set.quorum, step + 7);
        const good = (indices: readonly number[]) =>
          world.bls.verify(
            signTogether(world.bls, MESSAGE, epoch.shares, indices),
            MESSAGE,
            epoch.set.group_public_key,
          );
        assert.ok(good(signers), `${signers}`);
        assert.ok(!good(signers.slice(1)), `${signers.slice(1)}`);
      }
    }),
    { numRuns: Math.min(sweep(1), 2) },
  );
});

describe('between 4 and 4 validators', async () => {
  const epoch = genesisOf(world, [0, 1, 2, 3]);
  const members = [0, 1, 2, 3];
  const all = members.map((index) => ({ index, silent: [] }));
  const off = await loadBls('off');

  test('set and shares stay with fewer dealings than a quorum', () => {
    const { next, results } = reshare(world, epoch, [0, 1, 2, 3, 4], all.slice(0, 2));
    assert.ok(!next.reshared);
    assert.deepEqual(next.set, { ...epoch.set, epoch: 1n });
    assert.deepEqual(sharesOf(results.slice(0, 4)).map(hex), epoch.shares.map(hex));
    assert.deepEqual(
      results[4]?.map(({ type }) => type),
      ['lost', 'erase'],
    );
  });

  test('only the first dealings that make a quorum count, and their order does not', () => {
    const { next, dealings } = reshare(world, epoch, members, all);
    const [a, b, c, d] = dealings;
    assert.ok(a && b && c && d);
    const identities = members.map((number) => world.identity(number));
    assert.deepEqual(nextSet(epoch.set, identities, [c, a, b]), next);
    assert.deepEqual(nextSet(epoch.set, identities, [a, b, c, d]), next);
    assert.notDeepEqual(nextSet(epoch.set, identities, [a, b, d]), next);
  });

  test('the next set matches the shares, whichever implementation made the dealings', () => {
    const pure = { ...world, bls: off };
    const { next, results } = reshare(pure, epoch, members, all.slice(0, 3));
    for (const [index, share] of sharesOf(results).entries()) {
      assert.equal(
        hex(world.bls.publicKey(share)),
        hex(next.set.validators[index]?.share_public_key ?? share),
      );
    }
  });

  test('a validator that lost its share gets the next one like the others', () => {
    const { context, dealings, next } = reshare(world, epoch, members, all.slice(0, 3));
    const player = new ResharingPlayer({ ...world, sign: world.identity(2).sign, context, index: 2 });
    for (const dealer of [0, 1, 2]) {
      const { dealt } = honestDealing(
        { ...world, random: () => new Uint8Array(48).fill(dealer + 1) },
        {
          context,
          dealer: { index: dealer, identity: dealer },
          share: epoch.shares[dealer] ?? assert.fail(),
          players: members,
        },
      );
      // The polynomials differ from those on the chain: the player must notice that its acknowledged values are useless.
      receive(world, player, dealer, dealt[2] ?? assert.fail());
    }
    assert.equal(player.step({ type: 'final', items: { dealings, complaints: [] }, next })[0]?.type, 'lost');
    const without = { ...epoch, shares: epoch.shares.with(2, new Uint8Array(0)) };
    const again = reshare(world, { ...without, members: [0, 1, 9, 3] }, members, [
      { index: 0, silent: [] },
      { index: 1, silent: [2] },
      { index: 3, silent: [] },
    ]);
    assert.ok(again.next.reshared);
    assert.equal(again.results[2]?.[0]?.type, 'share');
  });
});

/** A deterministic scalar from two numbers. */
function mixed(seed: number, salt: number): number {
  let value = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35);
  value = Math.imul(value ^ (value >>> 15), 0x27d4eb2f);
  return (value ^ (value >>> 13)) >>> 0;
}

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DealerEffect, ResharingDealer } from '../../../src/consensus/resharing/dealer.js';
import { type PlayerEffect, ResharingPlayer } from '../../../src/consensus/resharing/player.js';
import { proveDecryption } from '../../../src/crypto/dkg/complaint.js';
import { encodeScalar, expectScalar } from '../../../src/crypto/scalars/scalars.js';
import type { DealtAck, DealtShare, OwnDealing } from '../../../src/generated/mesh.js';
import { checkComplaint } from '../../../src/ledger/validators/check-complaint-points.js';
import { checkDealing } from '../../../src/ledger/validators/check-dealing-points.js';
import { nextSet } from '../../../src/ledger/validators/next-set.js';
import { deal, play } from '../../support/networks/resharing-steps.js';
import { garbled, honestDealing, TEST_CHAIN_ID, validatorWorld } from '../../support/networks/validators.js';

const world = validatorWorld(10);
const { set, shares } = world.dealt([0, 1, 2, 3]);
const players = [0, 1, 2, 3];
const context = {
  chainId: TEST_CHAIN_ID,
  epoch: 0n,
  currentSet: set,
  nextPlayers: players.map((number) => world.identity(number)),
};

function dealer(index: number, own?: OwnDealing): ResharingDealer {
  return new ResharingDealer({
    ...world,
    sign: world.identity(index).sign,
    context,
    index,
    share: shares[index] ?? assert.fail(),
    ...(own === undefined ? {} : { own }),
  });
}

function player(
  index: number,
  kept: Partial<ConstructorParameters<typeof ResharingPlayer>[0]> = {},
): ResharingPlayer {
  const present = { index, share: shares[index] ?? assert.fail() };
  return new ResharingPlayer({
    ...world,
    sign: world.identity(index).sign,
    context,
    index,
    present,
    ...kept,
  });
}

const NOTHING = { dealings: [], complaints: [] };

const types = (effects: readonly { readonly type: string }[]) => effects.map(({ type }) => type);

function sentTo(effects: readonly DealerEffect[]): Map<number, DealtShare> {
  return new Map(
    effects.flatMap((effect) => (effect.type === 'send' ? [[effect.player, effect.dealt] as const] : [])),
  );
}

/** A player's reaction to a dealing after the check result. */
function receive(machine: ResharingPlayer, from: number, dealt: DealtShare, index = 2): PlayerEffect[] {
  return play(world, machine, index, { type: 'dealt', from, dealt });
}

function ackIn(effects: readonly PlayerEffect[]): DealtAck {
  const sent = effects.find((effect) => effect.type === 'send');
  return sent?.type === 'send' ? sent.ack : assert.fail();
}

test('a dealer stores its polynomial before sending, and deals the same after a restart', () => {
  const first = dealer(0).step({ type: 'start' });
  assert.deepEqual(types(first), ['persist', 'send', 'send', 'send', 'send']);
  const [persist] = first;
  assert.ok(persist?.type === 'persist');
  const again = dealer(0, persist.own).step({ type: 'start' });
  assert.deepEqual(types(again), ['send', 'send', 'send', 'send']);
  assert.deepEqual(sentTo(again), sentTo(first));
});

test('a dealing acknowledged by all is ready and seals nothing', () => {
  const machine = dealer(1);
  const sent = sentTo(machine.step({ type: 'start' }));
  for (const index of players) {
    const ack = ackIn(receive(player(index), 1, sent.get(index) ?? assert.fail()));
    const effects = machine.step({ type: 'acknowledged', from: index, ack });
    assert.deepEqual(types(effects), index === 3 ? ['dealing'] : []);
    const [dealing] = effects;
    if (dealing?.type !== 'dealing') continue;
    assert.equal(dealing.dealing.sealed.length, 0);
    assert.equal(checkDealing(world, dealing.dealing, context), undefined);
  }
});

test('after the deadline a dealing waits for n − f acknowledgements, seals the rest, and seals fewer as more arrive', () => {
  const machine = dealer(1);
  const sent = sentTo(machine.step({ type: 'start' }));
  const acks = players.map((index) => ackIn(receive(player(index), 1, sent.get(index) ?? assert.fail())));
  const acknowledge = (index: number) =>
    deal(world, machine, { type: 'acknowledged', from: index, ack: acks[index] ?? assert.fail() });
  assert.deepEqual(acknowledge(2), []);
  assert.deepEqual(machine.step({ type: 'deadline' }), []);
  assert.deepEqual(acknowledge(0), []);
  const sealed = [acknowledge(3), acknowledge(1)].map(([effect]) => {
    assert.ok(effect?.type === 'dealing');
    assert.equal(checkDealing(world, effect.dealing, context), undefined);
    return effect.dealing.sealed.map(({ player }) => player);
  });
  assert.deepEqual(sealed, [[1], []]);
});

test('a dealer resends to players without acknowledgement and to reconnecting ones', () => {
  const machine = dealer(1);
  const sent = sentTo(machine.step({ type: 'start' }));
  const ack = ackIn(receive(player(2), 1, sent.get(2) ?? assert.fail()));
  machine.step({ type: 'acknowledged', from: 2, ack });
  assert.deepEqual([...sentTo(machine.step({ type: 'again' })).keys()], [0, 1, 3]);
  assert.deepEqual([...sentTo(machine.step({ type: 'connected', player: 2 })).keys()], [2]);
  machine.step({ type: 'included' });
  assert.deepEqual(types(machine.step({ type: 'deadline' })), []);
  assert.equal(sentTo(machine.step({ type: 'again' })).size, 3);
  machine.step({ type: 'final' });
  assert.deepEqual(machine.step({ type: 'again' }), []);
});

test('acknowledgements that do not match the dealing are refused', () => {
  const machine = dealer(1);
  const sent = sentTo(machine.step({ type: 'start' }));
  const ack = ackIn(receive(player(2), 1, sent.get(2) ?? assert.fail()));
  const step = (from: number, altered: DealtAck) =>
    types(machine.step({ type: 'acknowledged', from, ack: altered }));
  assert.deepEqual(step(1, ack), ['refuse']);
  assert.deepEqual(step(2, { ...ack, dealer: 0 }), ['refuse']);
  assert.deepEqual(step(2, { ...ack, ack: { player: 2, signature: new Uint8Array(64) } }), ['refuse']);
  assert.deepEqual(step(2, { ...ack, epoch: 1n }), []);
  assert.deepEqual(step(9, { ...ack, ack: { ...ack.ack, player: 9 } }), []);
  assert.equal(machine.acknowledged, 0);
});

test('a player stores its evaluation before acknowledging, and acknowledges it again after a restart', () => {
  const sent = sentTo(dealer(1).step({ type: 'start' })).get(2) ?? assert.fail();
  const machine = player(2);
  const effects = receive(machine, 1, sent);
  assert.deepEqual(types(effects), ['persist', 'send']);
  const [persist] = effects;
  assert.ok(persist?.type === 'persist');
  const again = player(2, { received: persist.received });
  assert.deepEqual(again.step({ type: 'dealt', from: 1, dealt: sent }), effects.slice(1));
});

test('a player acknowledges one commitment per dealer', () => {
  const machine = player(2);
  receive(machine, 1, sentTo(dealer(1).step({ type: 'start' })).get(2) ?? assert.fail());
  const other = sentTo(dealer(1).step({ type: 'start' })).get(2) ?? assert.fail();
  assert.deepEqual(types(receive(machine, 1, other)), ['refuse']);
});

test('a player runs one check per dealer at a time and refuses mismatches', () => {
  const machine = player(2);
  const dealt = sentTo(dealer(1).step({ type: 'start' })).get(2) ?? assert.fail();
  const step = (from: number, altered: Partial<DealtShare>) =>
    types(machine.step({ type: 'dealt', from, dealt: { ...dealt, ...altered } }));
  assert.deepEqual(step(0, {}), ['refuse']);
  assert.deepEqual(step(9, { dealer: 9 }), ['refuse']);
  assert.deepEqual(step(1, { commitments: dealt.commitments.slice(1) }), ['refuse']);
  assert.deepEqual(step(1, { commitments: [...dealt.commitments].reverse() }), ['refuse']);
  assert.deepEqual(step(1, { epoch: 1n }), []);
  assert.deepEqual(step(1, { share: encodeScalar(5n) }), ['check']);
  assert.deepEqual(step(1, {}), []);
  const wrong = receive(player(2), 1, { ...dealt, share: encodeScalar(5n) });
  assert.deepEqual(types(wrong), ['refuse']);
  const refusal = { rule: 'evaluation', message: 'wrong' } as const;
  assert.deepEqual(types(machine.step({ type: 'checked', dealer: 1, refusal })), ['refuse']);
  assert.deepEqual(step(1, {}), ['check']);
  assert.deepEqual(machine.step({ type: 'checked', dealer: 3, refusal: undefined }), []);
});

test('a leaving validator keeps its share with too few dealings and loses it with enough', () => {
  const stay = nextSet(set, context.nextPlayers.slice(0, 3), []);
  const present = { index: 3, share: shares[3] ?? assert.fail() };
  const machine = () => new ResharingPlayer({ ...world, sign: world.identity(3).sign, context, present });
  const [kept] = machine().step({ type: 'final', items: NOTHING, next: stay });
  assert.ok(kept?.type === 'share' && kept.epoch === 1n && kept.index === 3);
  const [lost] = machine().step({ type: 'final', items: NOTHING, next: { ...stay, reshared: true } });
  assert.equal(lost?.type, 'lost');
});

test('a share that does not match the next set is not used', () => {
  const stay = nextSet(set, context.nextPlayers, []);
  const machine = player(2, { present: { index: 2, share: shares[1] ?? assert.fail() } });
  assert.deepEqual(types(machine.step({ type: 'final', items: NOTHING, next: stay })), ['lost', 'erase']);
  assert.deepEqual(machine.step({ type: 'final', items: NOTHING, next: stay }), []);
});

test('a restarted dealer seals the same and renews its key as before', () => {
  const first = dealer(1);
  const effects = first.step({ type: 'start' });
  const [persist] = effects;
  assert.ok(persist?.type === 'persist');
  const second = dealer(1, persist.own);
  const sent = sentTo(effects);
  second.step({ type: 'start' });
  const made = [first, second].map((machine) => {
    machine.step({ type: 'deadline' });
    for (const index of [0, 1, 2]) {
      const ack = ackIn(receive(player(index), 1, sent.get(index) ?? assert.fail()));
      const [dealing] = deal(world, machine, { type: 'acknowledged', from: index, ack });
      if (dealing?.type === 'dealing') return dealing.dealing;
    }
    return assert.fail();
  });
  assert.deepEqual(made[0], made[1]);
  assert.equal(made[0]?.sealed.length, 1);
  assert.deepEqual(made[0]?.encryption_key, persist.encryption.publicKey);
  const { privateKey, publicKey } = persist.encryption;
  assert.deepEqual(world.bls.publicKey(privateKey), publicKey);
});

test('a dealer that fails to encrypt tries again at its next resend', () => {
  const machine = dealer(1);
  const sent = sentTo(machine.step({ type: 'start' }));
  machine.step({ type: 'deadline' });
  const effects = [0, 1, 2].flatMap((index) => {
    const ack = ackIn(receive(player(index), 1, sent.get(index) ?? assert.fail()));
    return machine.step({ type: 'acknowledged', from: index, ack });
  });
  assert.deepEqual(types(effects), ['seal']);
  assert.deepEqual(machine.step({ type: 'sealed', sealed: [] }), []);
  assert.deepEqual(types(machine.step({ type: 'again' })), ['send', 'seal']);
});

describe('a player that was away', () => {
  const away = 2;
  const made = [0, 1, 3].map((index) =>
    honestDealing(world, {
      context,
      dealer: { index, identity: index },
      share: shares[index] ?? assert.fail(),
      players,
      silent: [away],
    }),
  );
  const dealings = made.map(({ dealing }) => dealing);
  const [honest] = dealings;
  assert.ok(honest);
  const garbage = garbled(world, 0, TEST_CHAIN_ID, honest, context.nextPlayers);
  const absent = (kept = {}) => player(away, kept);

  test('reads all that was sealed to it when the epoch ends', () => {
    const next = nextSet(set, context.nextPlayers, dealings);
    const items = { dealings, complaints: [] };
    const effects = play(world, absent(), away, { type: 'final', items, next });
    const [share, erase] = effects.filter(({ type }) => type !== 'persist');
    assert.ok(share?.type === 'share');
    assert.equal(erase?.type, 'erase');
    assert.deepEqual(world.bls.publicKey(share.share), next.set.validators[away]?.share_public_key);
  });

  test('stores what it reads in time, and does not read it again', () => {
    const items = { dealings, complaints: [] };
    const machine = absent();
    const effects = play(world, machine, away, { type: 'included', items });
    assert.deepEqual(types(effects), ['persist', 'persist', 'persist']);
    assert.deepEqual(machine.step({ type: 'included', items }), []);
    const last = effects.at(-1);
    assert.ok(last?.type === 'persist');
    const next = nextSet(set, context.nextPlayers, dealings);
    const again = absent({ received: last.received });
    assert.deepEqual(types(again.step({ type: 'final', items, next })), ['share', 'erase']);
  });

  test('acknowledges only the first polynomial of a dealer, even after it has read another one', () => {
    const machine = absent();
    const first = sentTo(dealer(0).step({ type: 'start' })).get(away) ?? assert.fail();
    const second = made[0]?.dealt[away] ?? assert.fail();
    receive(machine, 0, first, away);
    const items = { dealings, complaints: [] };
    const last = play(world, machine, away, { type: 'included', items }).at(-1);
    assert.ok(last?.type === 'persist');
    for (const one of [machine, absent({ received: last.received })]) {
      assert.deepEqual(types(one.step({ type: 'dealt', from: 0, dealt: second })), ['refuse']);
      assert.deepEqual(types(one.step({ type: 'dealt', from: 0, dealt: first })), ['send']);
      const next = nextSet(set, context.nextPlayers, dealings);
      assert.deepEqual(types(one.step({ type: 'final', items, next })), ['share', 'erase']);
    }
  });

  test('complains once about garbage, by a complaint that the rules accept', () => {
    const machine = absent();
    const items = { dealings: [garbage, ...dealings.slice(1)], complaints: [] };
    const [complain, ...others] = play(world, machine, away, { type: 'included', items });
    assert.ok(complain?.type === 'complain');
    assert.deepEqual(types(others), ['persist', 'persist']);
    assert.deepEqual(machine.step({ type: 'included', items }), []);
    const { complaint } = complain;
    const disputed = {
      chainId: TEST_CHAIN_ID,
      complaint,
      commitments: garbage.commitments,
      encryptionKey: world.identity(away).encryption_key,
    };
    const [bad] = garbage.sealed;
    const [good] = honest.sealed;
    assert.ok(bad && good);
    assert.equal(checkComplaint(world, { ...disputed, sealed: bad }), undefined);
    const where = { chainId: TEST_CHAIN_ID, epoch: 0n, dealer: 0, player: away };
    const secret = expectScalar(world.identity(away).encryption.privateKey);
    const unfounded = { ...complaint, ...proveDecryption(world, where, secret, good.ephemeral) };
    const about = { ...disputed, complaint: unfounded, sealed: good };
    assert.equal(checkComplaint(world, about)?.rule, 'unfounded');
  });

  test('does not read dealings that a complaint has voided', () => {
    const complaint = { epoch: 0n, dealer: 0, player: 1, ...proof() };
    const items = { dealings: [garbage], complaints: [complaint] };
    assert.deepEqual(absent().step({ type: 'included', items }), []);
  });

  test('says nothing about garbage for which it has an evaluation', () => {
    const machine = absent();
    receive(machine, 0, made[0]?.dealt[away] ?? assert.fail(), away);
    assert.deepEqual(machine.step({ type: 'included', items: { dealings: [garbage], complaints: [] } }), []);
  });

  test('follows without a share if garbage was used, and complains no more', () => {
    const all = [garbage, ...dealings.slice(1)];
    const next = nextSet(set, context.nextPlayers, all);
    const items = { dealings: all, complaints: [] };
    const effects = play(world, absent(), away, { type: 'final', items, next });
    assert.deepEqual(
      types(effects).filter((type) => type !== 'persist'),
      ['lost', 'erase'],
    );
  });

  test('reads what was still being read when the epoch ended', () => {
    const machine = absent();
    const items = { dealings, complaints: [] };
    assert.deepEqual(types(machine.step({ type: 'included', items })), ['open', 'open', 'open']);
    const next = nextSet(set, context.nextPlayers, dealings);
    const effects = play(world, machine, away, { type: 'final', items, next });
    assert.ok(types(effects).includes('share'));
    assert.deepEqual(machine.step({ type: 'opened', dealer: 0, opened: undefined }), []);
  });

  function proof() {
    return { shared: new Uint8Array(48), challenge: new Uint8Array(32), response: new Uint8Array(32) };
  }
});

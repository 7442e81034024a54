import assert from 'node:assert/strict';
import { ledger } from '../../../src/ledger/codecs.js';
import { hex } from '../hex.js';
import type { CeremonyNetwork } from './ceremony-network.js';
import type { ValidatorWorld } from './validators.js';

/** Remembers results of slow functions, for runs with the same random numbers make the same points. */
export function quickWorld(real: ValidatorWorld): ValidatorWorld {
  const remembered = <T>(work: (input: Uint8Array) => T) => {
    const known = new Map<string, T>();
    return (input: Uint8Array): T => {
      const key = hex(input);
      const found = known.get(key);
      if (found !== undefined) return found;
      const result = work(input);
      known.set(key, result);
      return result;
    };
  };
  const bls = Object.assign(Object.create(Object.getPrototypeOf(real.bls) as object), real.bls);
  return {
    ...real,
    bls: {
      ...bls,
      publicKey: remembered((key) => real.bls.publicKey(key)),
      isPublicKey: remembered((key) => real.bls.isPublicKey(key)),
    },
  };
}

/**
 * Asserts that the honest participants end alike, with keys that fit, and that the faulty one is among all that are
 * named. If they do not end, they wait for it, or have proof against it.
 */
export function assertEndedAlike(
  world: ValidatorWorld,
  ceremony: CeremonyNetwork,
  { faulty, mustEnd }: { readonly faulty: number; readonly mustEnd: boolean },
): void {
  const others = [...ceremony.ends.keys()].filter((index) => index !== faulty);
  const honest = others.map((index) => ceremony.ends[index] ?? assert.fail());
  const text = JSON.stringify(
    others.map((index) => ({ ...ceremony.state(index), failures: ceremony.ends[index]?.failures })),
  );
  for (const { failures } of honest) {
    assert.ok(
      failures.every(({ participants }) => participants.includes(faulty)),
      text,
    );
  }
  const geneses = honest.map(({ genesis }) => genesis && hex(ledger.Genesis.encode(genesis)));
  assert.equal(new Set(geneses).size, 1, text);
  const [first] = honest;
  if (first?.genesis === undefined) {
    assert.ok(!mustEnd, text);
    for (const index of others) {
      assert.ok(ceremony.state(index)?.waitsFor.includes(faulty) || isProven(ceremony, index, faulty), text);
    }
    return;
  }
  const { validators } = first.genesis.validator_set;
  for (const index of others) {
    const share = ceremony.ends[index]?.share ?? assert.fail(text);
    assert.equal(hex(world.bls.publicKey(share)), hex(validators[index]?.share_public_key ?? assert.fail()));
  }
}

/** True if a participant has two messages that contradict each other. */
function isProven(ceremony: CeremonyNetwork, index: number, faulty: number): boolean {
  const failures = ceremony.ends[index]?.failures ?? [];
  return failures.some(
    ({ code, participants }) => code === 'equivocation' && participants.join() === `${faulty}`,
  );
}

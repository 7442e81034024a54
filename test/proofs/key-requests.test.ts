import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { type Caller, NODE_ITSELF } from '../../src/async/caller.js';
import { KeyRequests } from '../../src/proofs/key-requests.js';
import { ProofError } from '../../src/proofs/proof-error.js';

const PRESENT = 100n;
const at = (height: bigint) => ({ height, stateRoot: new Uint8Array(32) });
const key = (n: number) => new Uint8Array(32).fill(n);
const caller = (client: string, isGone = false): Caller => ({ client, isGone });

/** Key requests on a worker that refuses when it is told to: what matters here is who is asked for when. */
class World {
  readonly sent: { readonly id: number; readonly height: bigint; readonly keys: number }[] = [];
  readonly requests = new KeyRequests({
    send: ({ height, keys }) => {
      const id = this.sent.length;
      this.sent.push({ id, height, keys: keys.length / 32 });
      return id;
    },
    isPresent: (height) => height === PRESENT,
  });
  readonly ended: string[] = [];

  ask(height: bigint, who: Caller, name: string, keys = 1): void {
    const asked = this.requests.prove(
      at(height),
      Array.from({ length: keys }, () => key(1)),
      who,
    );
    asked.catch((error: unknown) => {
      this.ended.push(`${name} ${error instanceof ProofError ? error.code : (error as Error).name}`);
    });
  }

  /** The worker is done with a request. */
  async done(id: number): Promise<void> {
    this.requests.refused(id, { code: 'state_unavailable', message: 'done' });
    await turn();
  }

  get heights(): readonly bigint[] {
    return this.sent.map(({ height }) => height);
  }
}

describe('requests for state proofs', () => {
  test('at the present height go out at once, whatever waits for earlier ones', async () => {
    const world = new World();
    for (let height = 1n; height <= 9n; height++) world.ask(height, caller('flood'), 'flood');
    await turn();
    world.ask(PRESENT, caller('modest'), 'modest');
    await turn();
    assert.deepEqual(world.heights, [1n, PRESENT]);
  });

  test('at earlier heights take turns by client', async () => {
    const world = new World();
    for (let height = 1n; height <= 20n; height++) world.ask(height, caller('flood'), `flood ${height}`);
    await turn();
    world.ask(50n, caller('modest'), 'modest');
    await turn();
    for (let id = 0; id < 4; id++) {
      // Longer than a client may use at a turn.
      await pause(10);
      await world.done(id);
    }
    assert.ok(world.heights.slice(0, 4).includes(50n), `${world.heights}`);
  });

  test('at one earlier height go out together, whoever asks', async () => {
    const world = new World();
    world.ask(1n, NODE_ITSELF, 'first');
    await turn();
    for (const client of ['a', 'b', 'c']) world.ask(2n, caller(client), client, 2);
    world.ask(3n, caller('d'), 'd');
    await turn();
    await world.done(0);
    assert.deepEqual(world.sent[1], { id: 1, height: 2n, keys: 6 });
    await world.done(1);
    assert.deepEqual(world.sent[2], { id: 2, height: 3n, keys: 1 });
    assert.deepEqual(world.ended.toSorted(), [
      'a state_unavailable',
      'b state_unavailable',
      'c state_unavailable',
      'first state_unavailable',
    ]);
  });

  test('of callers that are gone are dropped', async () => {
    const world = new World();
    const leaving = { client: 'leaving', isGone: false };
    world.ask(1n, caller('a'), 'a');
    await turn();
    world.ask(2n, leaving, 'leaving');
    world.ask(3n, caller('b'), 'b');
    await turn();
    leaving.isGone = true;
    await world.done(0);
    assert.deepEqual(world.heights, [1n, 3n]);
    assert.ok(world.ended.includes('leaving CallerGoneError'));
  });

  test('have a bound, at which the client with the most gives way', async () => {
    const world = new World();
    world.ask(1n, caller('flood'), 'first');
    await turn();
    for (let height = 2n; height <= 79n; height++) world.ask(height, caller('flood'), 'flood', 128);
    await turn();
    world.ask(99n, caller('modest'), 'modest', 100);
    await turn();
    assert.deepEqual(world.ended, ['flood overloaded']);
    world.requests.rejectAll(new ProofError('worker_failed', 'over'));
    await turn();
    assert.equal(world.ended.filter((text) => text === 'modest worker_failed').length, 1);
    assert.equal(world.ended.length, 80);
  });
});

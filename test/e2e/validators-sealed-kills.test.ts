// Sealed transactions on killed validators: each accepted one is opened, or its validator gives the reason.
// HEDDLE_SEALED_KILLS sets the number of kills (default 3).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError, connect, devAccount, RpcCallError } from '../../src/client/client.js';
import { eventually } from '../support/eventually.js';
import { ValidatorNet } from '../support/validator-net.js';

const KILLS = Number(process.env['HEDDLE_SEALED_KILLS'] ?? 3);
/** One in this many envelopes waits behind a nonce gap that never closes. */
const GAPPED_EVERY = 7;
const action = { type: 'transfer', value: { to: devAccount(9).address, amount: 1n } } as const;

interface Accepted {
  readonly validator: number;
  readonly hash: Uint8Array;
  readonly opensAt: bigint;
  readonly isGapped: boolean;
}

/** Sends envelopes to each running validator, from one account each, until {@link SealedLoad.stop}. */
class SealedLoad {
  readonly accepted: Accepted[] = [];
  readonly #net: ValidatorNet;
  readonly #ended: Promise<unknown>;
  #isRunning = true;

  constructor(net: ValidatorNet) {
    this.#net = net;
    this.#ended = Promise.all(net.all.map((validator) => this.#send(validator)));
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#ended;
  }

  async #send(validator: number): Promise<void> {
    for (let count = 0; this.#isRunning && !this.#net.isDisposed; count++) {
      await sleep(250);
      if (!this.#net.running.includes(validator)) continue;
      try {
        await this.#seal(validator, count);
      } catch (error) {
        // A killed, starting or lagging validator has accepted nothing.
        if (!(error instanceof ClientError || error instanceof RpcCallError)) throw error;
      }
    }
  }

  async #seal(validator: number, count: number): Promise<void> {
    const client = connect(this.#net.node(validator).url, { timeoutMs: 5_000, retry: { retries: 0 } });
    const { finalized_height: height } = await client.status();
    const opensAt = height + 10n + BigInt(count % 16);
    const isGapped = count % GAPPED_EVERY === GAPPED_EVERY - 1;
    const place = isGapped ? { lane: 100 + count, nonce: 1n } : { lane: count % 3 };
    const { hash } = await client.seal(action, { signer: devAccount(validator), opensAt, ...place });
    this.accepted.push({ validator, hash, opensAt, isGapped });
  }
}

/** The outcome of an envelope as reported by its validator. */
async function outcomeOf(net: ValidatorNet, { validator, hash, opensAt }: Accepted): Promise<string> {
  const client = net.client(validator);
  const { status } = await client.tx_by_hash({ tx_hash: hash });
  if (status.type !== 'included') return status.type === 'rejected' ? status.value : status.type;
  const { receipt } = await client.tx_receipt({ tx_hash: hash });
  return receipt !== undefined && receipt.height > opensAt ? 'opened' : 'included';
}

async function outcomesOf(net: ValidatorNet, accepted: readonly Accepted[]): Promise<readonly string[]> {
  return Promise.all(accepted.map((each) => outcomeOf(net, each)));
}

test('every accepted envelope is opened or has a reason, however the validators are killed', {
  timeout: 300_000,
}, async () => {
  const net = await ValidatorNet.make({ flags: ['--block-time', '100', '--idle-block-time', '100'] });
  try {
    await net.start();
    await net.grow(2n);
    const load = new SealedLoad(net);
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(1_000 + 300 * Math.random());
      const killed = (kill + 1) % net.count;
      await net.kill(killed);
      await sleep(1_000);
      await net.start([killed]);
      await net.grow(2n);
    }
    await load.stop();

    const { accepted } = load;
    assert.ok(accepted.length > 10 * KILLS, `only ${accepted.length} were accepted`);
    let last = 0n;
    for (const { opensAt } of accepted) if (opensAt > last) last = opensAt;
    await net.reach(last + 3n);
    await eventually('no envelope waits any longer', async () => {
      const outcomes = await outcomesOf(net, accepted);
      return !outcomes.some((outcome) => outcome === 'pending' || outcome === 'included');
    });
    const settled = await outcomesOf(net, accepted);
    const expectAccounted = (outcomes: readonly string[]) => {
      for (const [place, outcome] of outcomes.entries()) {
        const { validator, hash, isGapped } = accepted[place] ?? assert.fail();
        const name = `${Buffer.from(hash).toString('hex')} of validator ${validator}`;
        if (isGapped) assert.match(outcome, /^expired: /, name);
        else assert.match(outcome, /^(opened$|\w+: )/, name);
      }
    };
    expectAccounted(settled);
    const opened = settled.filter((outcome) => outcome === 'opened').length;
    assert.ok(opened > accepted.length / 3, `${opened} of ${accepted.length} were opened`);

    // The reasons survive another kill, of all validators at once.
    await net.kill(...net.running);
    await net.start();
    await net.reach(last + 3n);
    const again = await outcomesOf(net, accepted);
    expectAccounted(again);
    const words = (outcomes: readonly string[]) => outcomes.map((outcome) => outcome.split(':')[0]);
    assert.deepEqual(words(again), words(settled));
  } finally {
    await net.dispose();
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { BodyPacer } from '../../../../src/rpc/http/native/body-pacer.js';

function setUp() {
  const clock = { ms: 1_000 };
  const pacer = new BodyPacer(() => clock.ms);
  const letIn: string[] = [];
  const wait = (sender: string, ...bodies: string[]) => {
    for (const body of bodies) pacer.wait(sender, () => letIn.push(body));
  };
  return { clock, pacer, letIn, wait };
}

describe('pacing of bodies', () => {
  it('does not delay bodies that take no time', () => {
    const { pacer, clock } = setUp();
    assert.ok(!pacer.isBusy);
    pacer.recordPiece(0.1);
    assert.ok(!pacer.isBusy);
    clock.ms += 1.9;
    assert.ok(!pacer.isBusy);
  });

  it('delays bodies if a tick is long or others wait', async () => {
    const { pacer, clock, wait } = setUp();
    assert.ok(!pacer.isBusy);
    clock.ms += 3;
    assert.ok(pacer.isBusy);
    await nextTick();
    assert.ok(!pacer.isBusy);
    wait('a', 'a1');
    assert.ok(pacer.isBusy);
    await nextTick();
    assert.ok(!pacer.isBusy);
  });

  it('admits two per tick, senders in turn', async () => {
    const { letIn, wait } = setUp();
    const many = Array.from({ length: 40 }, (_, at) => `a${at}`);
    wait('a', ...many);
    wait('b', 'b0');
    await nextTick();
    assert.equal(letIn.length, 2);
    for (let turn = 0; turn < 10; turn++) await nextTick();
    assert.ok(letIn.includes('b0'), `${letIn}`);
    while (letIn.length < 41) await nextTick();
    assert.deepEqual(
      letIn.filter((body) => body.startsWith('a')),
      many,
    );
  });

  it('leaves other work three times as long as the pieces took, up to a tenth of a second', async () => {
    const { clock, pacer, letIn, wait } = setUp();
    pacer.recordPiece(10);
    assert.ok(pacer.isBusy);
    wait('a', 'a1');
    clock.ms += 20;
    await sleep(40);
    assert.deepEqual(letIn, []);
    clock.ms += 10;
    while (letIn.length === 0) await sleep(1);
    assert.ok(!pacer.isBusy);
    pacer.recordPiece(5_000);
    assert.ok(pacer.isBusy);
    clock.ms += 99;
    await nextTick();
    assert.ok(!pacer.isBusy);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { devAccount, formatAddress } from '../../../../src/client/client.js';
import { rejected } from '../../../support/nodes/fake-node.js';
import { ScriptWorld } from '../../../support/worlds/script-world.js';

const ALICE = formatAddress(devAccount(0).address);
const TO = `0x${'5f'.repeat(20)}`;

const pay = (amount: number): string => `await heddle.sender.transfer({ to: '${TO}', amount: ${amount}n });`;

describe('a broadcast', () => {
  it('records each transaction before it is sent, and its block afterwards', async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script([pay(1), pay(2)].join('\n'));
    const seen: unknown[] = [];
    world.chain.admission = () => seen.push(world.recorded(script).map(({ state, nonce }) => [state, nonce]));
    await world.broadcast(script);
    assert.deepEqual(seen, [
      [['signed', 0]],
      [
        ['included', 0],
        ['signed', 1],
      ],
    ]);
    const { record } = world.run(script);
    assert.equal(record.state, 'complete');
    assert.equal(record.script, script.shown);
    const [first] = record.transactions;
    assert.deepEqual(
      { ...first, action_hash: undefined },
      {
        what: `transfer 1 to ${TO}`,
        type: 'transfer',
        sender: ALICE,
        lane: 0,
        nonce: 0,
        to: TO,
        value: '1',
        hash: world.chain.taken[0]?.hashHex,
        action_hash: undefined,
        state: 'included',
        height: 1,
        gas_used: 10_000,
        fee: '100000',
      },
    );
  });

  it('waits for the block of each transaction, even from a sender that the script makes', async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script(
      `const { status } = await heddle.client.sender(heddle.senders[1].signer).transfer({ to: '${TO}', amount: 3n });
       heddle.log(status.type, heddle.isDryRun, heddle.args, heddle.chain.id);`,
    );
    const performed = await world.broadcast(script);
    assert.deepEqual(world.printed, ["included false [ 'one' ] 77n"]);
    assert.equal(performed[0]?.step.sender, formatAddress(devAccount(1).address));
  });

  const isTypeScript = 'typescript' in process.features && process.features.typescript !== false;
  it('runs TypeScript', { skip: !isTypeScript && 'this version of Node has no types' }, async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script(pay(1), 'mts', ": import('heddle/client').ScriptContext");
    assert.equal((await world.broadcast(script)).length, 1);
  });

  it('sends nothing that the dry run did not have', async (t) => {
    const world = await ScriptWorld.for(t);
    const planned = await world.broadcast(world.script([pay(1), pay(2)].join('\n')));
    const plan = planned.map(({ step }) => step);
    const other = world.script([pay(1), pay(3)].join('\n'));
    await assert.rejects(
      world.broadcast(other, { plan }),
      /script1\.mjs:3:\d+: this step differs from the dry run, so it was not sent: transfer 3 to .*; the dry run had transfer 2 to /,
    );
    const longer = world.script([pay(1), pay(2), pay(2)].join('\n'));
    await assert.rejects(world.broadcast(longer, { plan }), /the dry run had nothing more/);
    assert.deepEqual(
      world.chain.taken.map(({ signed }) => signed.transaction.nonce),
      [0n, 1n, 2n, 3n, 4n],
    );
  });

  it('ends at the first failure, with the line of the script', async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script(
      `await Promise.all([1n, 2n, 3n].map((amount) => heddle.sender.transfer({ to: '${TO}', amount })));`,
    );
    world.chain.admission = ({ transaction: { action } }) => {
      if (action.type === 'transfer' && action.value.amount === 2n) throw rejected('insufficient_balance');
    };
    await assert.rejects(
      world.broadcast(script),
      /^CliError: scripts\/script0\.mjs:2:\d+: the node answered: fake transaction_rejected \(insufficient_balance\)$/,
    );
    assert.equal(world.chain.taken.length, 1);
    assert.deepEqual(
      world.recorded(script).map(({ state }) => state),
      ['included', 'signed'],
    );
  });

  it('tolerates a failure that the script catches, if the dry run had it', async (t) => {
    const world = await ScriptWorld.for(t);
    const body = [`try { ${pay(1)} } catch { heddle.log('caught'); }`, pay(2)].join('\n');
    const refuse = () => {
      let isFirst = true;
      world.chain.admission = () => {
        if (isFirst) {
          isFirst = false;
          throw rejected('insufficient_balance');
        }
      };
    };
    refuse();
    const { asked } = await world.pass(world.script(body));
    assert.equal(asked.length, 2);
    refuse();
    const { performed } = await world.pass(world.script(body), { plan: asked });
    assert.deepEqual(
      performed.map(({ step }) => step.value),
      [2n],
    );
    assert.deepEqual(world.printed, ['caught', 'caught']);
  });

  it('signs nothing for another chain than the confirmed one', async (t) => {
    const world = await ScriptWorld.for(t);
    const { status } = world.node.handlers;
    world.node.handlers.status = async (params) => {
      const answer = await status?.(params);
      assert.ok(answer !== undefined);
      return { ...answer, chain_id: 1n };
    };
    await assert.rejects(world.broadcast(world.script(pay(1))), /expected a node of chain 77, got chain 1/);
    assert.equal(world.chain.taken.length, 0);
  });

  it('refuses calls that would bypass its record', async (t) => {
    const world = await ScriptWorld.for(t);
    for (const [call, refusal] of [
      ['client.tx_submit({ encoded: new Uint8Array(9) })', /a script cannot call tx_submit: /],
      ["client.call('tx_submit_bundle', { transactions: [] })", /a script cannot call tx_submit_bundle: /],
      ['client.bundle([])', /a script cannot send bundles/],
      [`sender.seal({ type: 'transfer', value: { to: '${TO}', amount: 1n } })`, /cannot send sealed/],
      [
        `client.seal({ type: 'transfer', value: { to: '${TO}', amount: 1n } }, { signer: heddle.sender.signer })`,
        /cannot send sealed/,
      ],
    ] as const) {
      await assert.rejects(world.broadcast(world.script(`await heddle.${call};`)), refusal);
    }
    assert.equal(world.chain.taken.length, 0);
  });
});

describe('a resumed broadcast', () => {
  it('sends only what is not on chain, as often as the script asks', async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script([pay(1), pay(1), pay(2), pay(1)].join('\n'));
    world.chain.admission = ({ transaction: { nonce } }) => {
      if (nonce === 3n) throw rejected('pool_full');
    };
    await assert.rejects(world.broadcast(script), /pool_full/);
    world.chain.admission = () => undefined;
    const performed = await world.broadcast(script, { resumed: world.run(script) });
    assert.deepEqual(
      performed.map(({ isEarlier, receipt }) => [isEarlier, receipt.nonce]),
      [
        [true, 0n],
        [true, 1n],
        [true, 2n],
        [false, 3n],
      ],
    );
    assert.equal(world.chain.taken.length, 4);
    assert.equal(world.run(script).record.state, 'complete');
  });

  it('finds a transaction whose answer was lost', async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script([pay(1), pay(2)].join('\n'));
    let isLost = false;
    world.node.interfere = ({ body }) => {
      const isSubmission = JSON.stringify(body).includes('"tx_submit"');
      if (!isSubmission || isLost) return undefined;
      isLost = true;
      return { kind: 'lose answer' };
    };
    await assert.rejects(world.broadcast(script));
    assert.deepEqual(
      world.recorded(script).map(({ state }) => state),
      ['signed'],
    );
    const performed = await world.broadcast(script, { resumed: world.run(script) });
    assert.deepEqual(
      performed.map(({ isEarlier }) => isEarlier),
      [true, false],
    );
    assert.equal(world.chain.taken.length, 2);
  });

  it('reuses the nonce of a transaction that may still be included', async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script(pay(1));
    world.chain.admission = () => {
      throw rejected('pool_full');
    };
    await assert.rejects(world.broadcast(script), /pool_full/);
    // The refused transaction comes into a block by another node, just before the resumed run sends.
    let isTaken = false;
    world.chain.admission = () => {
      if (isTaken) return;
      isTaken = true;
      world.chain.lane(devAccount(0).address).nextNonce = 1n;
      throw rejected('nonce_too_low');
    };
    await assert.rejects(world.broadcast(script, { resumed: world.run(script) }), /nonce_too_low/);
    assert.equal(world.chain.taken.length, 0);
  });

  it('counts a transaction as lost once another has its nonce', async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script(pay(1));
    world.chain.admission = () => {
      throw rejected('pool_full');
    };
    await assert.rejects(world.broadcast(script), /pool_full/);
    world.chain.admission = () => undefined;
    world.chain.lane(devAccount(0).address).nextNonce = 1n;
    const [performed] = await world.broadcast(script, { resumed: world.run(script) });
    assert.equal(performed?.receipt.nonce, 1n);
    assert.deepEqual(
      world.recorded(script).map(({ state, nonce }) => [state, nonce]),
      [
        ['dropped', 0],
        ['included', 1],
      ],
    );
  });

  it('refuses a receipt that contradicts the record', async (t) => {
    const world = await ScriptWorld.for(t);
    const script = world.script([pay(1), pay(2)].join('\n'));
    await world.broadcast(script);
    const { tx_receipt: honest } = world.node.handlers;
    world.node.handlers.tx_receipt = async (params) => {
      const { receipt } = (await honest?.(params)) ?? {};
      return receipt === undefined ? {} : { receipt: { ...receipt, sender: devAccount(5).address } };
    };
    await assert.rejects(
      world.broadcast(script, { resumed: world.run(script) }),
      /the node's receipt of [0-9a-f]{64} contradicts the record/,
    );
  });
});

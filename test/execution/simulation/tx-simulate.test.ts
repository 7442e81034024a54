import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sameBytes } from '../../../src/base/same-bytes.js';
import { rpcTypes } from '../../../src/ledger/rpc-codecs.js';
import { ALICE, alice, BOB, bob, callOf, deployOf, encoded } from '../../support/actions.js';
import { PROBE, probeCode } from '../../support/contracts/assembled-contracts.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { text } from '../../support/hex.js';
import { NATIVE } from '../../support/native-modes.js';
import { ContractNode, token } from '../../support/nodes/contract-node.js';
import { spread } from '../../support/sweep.js';

/** A TxSimulateResult as in the response. */
interface SimulationJson {
  readonly status: { readonly type: string; readonly value: unknown };
  readonly gas_used: number;
  readonly gas_estimate: number;
  readonly fee: string;
  readonly output: string;
  readonly decoded?: unknown;
  readonly logs: readonly {
    readonly event?: unknown;
    readonly height: number;
    readonly block_hash: string;
  }[];
  readonly state_diff: readonly {
    readonly address: string;
    readonly slots: readonly { readonly slot: string; readonly before?: string; readonly after?: string }[];
  }[];
  readonly height: number;
}

interface AccessJson {
  readonly simulation: SimulationJson;
  readonly access_list: readonly {
    readonly address: string;
    readonly account: { readonly type: string };
    readonly slots: readonly { readonly slot: string; readonly access: { readonly type: string } }[];
  }[];
}

/** The failure part of a status. */
function failureOf({ status }: SimulationJson) {
  return status.value as {
    readonly error?: unknown;
    readonly data?: string;
    readonly kind?: string;
    readonly backtrace?: readonly string[];
  };
}

const NOBODY = `0x${'77'.repeat(20)}`;
const HASH = 'ab'.repeat(32);
const slotOf = (owner: string) => `1404000000${owner.slice(2)}${'00'.repeat(7)}`;

const SETTINGS = [
  { native: NATIVE, workers: '1' },
  { native: 'off', workers: '2' },
];

for (const flags of spread(SETTINGS, 1)) {
  describe(`tx_simulate, --native ${flags.native} --workers ${flags.workers}`, () => {
    let world: ContractNode;
    /**
     * Hashes of three payments in block 2, which take bob's balance to 10, 30 and 35; a fourth in block 3 takes it to
     * 135.
     */
    let payments: readonly string[];
    let tokens: string;

    before(async () => {
      world = await ContractNode.start(flags);
      tokens = world.token;
      payments = await world.seal([world.pay(10), world.pay(20), world.pay(5)]);
      await world.seal([world.pay(100)]);
    });
    after(() => world?.stop());

    const transfer = (amount: string, sender = ALICE, to = BOB) => ({
      sender,
      action: { type: 'call', value: { contract: tokens, method: 'transfer', args: { to, amount } } },
    });
    const call = async (method: string, params: object): Promise<SimulationJson> =>
      (await world.rpc.call(method, params)) as SimulationJson;
    const bobsDiff = async (more: object) => {
      const { state_diff: diff } = await call('tx_simulate', { build: transfer('7'), ...more });
      const change = diff
        .find(({ address }) => address === tokens)
        ?.slots.find(({ slot }) => slot === slotOf(BOB));
      const number = (hex: string | undefined) =>
        hex === undefined ? 0 : Buffer.from(hex.slice(2), 'hex').readUInt32LE();
      return [number(change?.before), number(change?.after)];
    };

    const access = async (build: object): Promise<AccessJson> =>
      (await world.rpc.call('tx_simulate_access', { build })) as AccessJson;

    test('a transaction gives the same result built, as an object and encoded', async () => {
      const built = await call('tx_simulate', {
        build: { ...transfer('7'), gas_limit: 20_000_000, max_fee: '10' },
      });
      assert.deepEqual(built.status, { type: 'success', value: null });
      const transaction = await world.transaction(
        callOf(tokens, token.function('transfer').encodeCall([BOB, '7'])),
      );
      const asEncoded = await call('tx_simulate', { encoded: text(encoded(transaction)) });
      assert.deepEqual(asEncoded, built);
      const asSigned = await call('tx_simulate', {
        encoded: text(await world.signed(transaction.action)),
      });
      assert.deepEqual(asSigned, built);
      const typed = await world.simulate(transaction);
      assert.deepEqual(typed.status, { type: 'success' });
      assert.equal(typed.gas_used, BigInt(built.gas_used));
    });

    test('reports events, state changes and the fee', async () => {
      const { status, logs, state_diff, fee, gas_used, gas_estimate, height, output } = await call(
        'tx_simulate',
        {
          build: transfer('7'),
        },
      );
      assert.equal(status.type, 'success');
      assert.equal(output, '0x');
      assert.equal(height, 3);
      assert.equal(gas_estimate, gas_used);
      assert.equal(fee, String(gas_used));
      assert.equal(logs.length, 1);
      assert.deepEqual(logs[0]?.event, { name: 'Transfer', args: { from: ALICE, to: BOB, amount: '7' } });
      assert.equal(logs[0]?.height, 4);
      assert.equal(logs[0]?.block_hash, '00'.repeat(32));
      const balance = (await world.client.account({ address: alice.address })).balance;
      const own = state_diff.find((each) => each.address === ALICE);
      assert.deepEqual(own, {
        address: ALICE,
        balance: { before: String(balance), after: String(balance - BigInt(fee)) },
        slots: [],
      });
      assert.deepEqual(
        state_diff.map((each) => each.address),
        [ALICE, tokens].sort(),
      );
      assert.deepEqual(await bobsDiff({}), [135, 142]);
    });

    test('runs on any kept height, and between the transactions of a block', async () => {
      assert.deepEqual(await bobsDiff({ at: { type: 'height', value: 1 } }), [0, 7]);
      assert.deepEqual(await bobsDiff({ at: { type: 'height', value: 2 } }), [35, 42]);
      for (const [place, had] of [
        [2, 35],
        [0, 10],
        [1, 30],
      ] as const) {
        const at = { type: 'after_tx', value: payments[place] };
        assert.deepEqual(await bobsDiff({ at }), [had, had + 7]);
      }
    });

    test('runs in the block after the state, in the block of an index, or in the given block', async () => {
      const heightOf = async (more: object) => {
        const build = {
          sender: ALICE,
          action: { type: 'call', value: { contract: world.probe, input: PROBE.height } },
        };
        const { output } = await call('tx_simulate', { build, ...more });
        return Number(Buffer.from(output.slice(2), 'hex').readBigUInt64LE());
      };
      assert.equal(await heightOf({}), 4);
      assert.equal(await heightOf({ at: { type: 'height', value: 1 } }), 2);
      assert.equal(await heightOf({ at: { type: 'after_tx', value: payments[1] } }), 2);
      assert.equal(await heightOf({ block_override: { height: 900 } }), 900);
      const timeOf = async (more: object) => {
        const build = {
          sender: ALICE,
          action: { type: 'call', value: { contract: world.probe, input: PROBE.timestamp } },
        };
        const { output } = await call('tx_simulate', { build, ...more });
        return Number(Buffer.from(output.slice(2), 'hex').readBigUInt64LE());
      };
      const { blocks } = await world.client.get_block_summaries({ from_height: 2n, to_height: 3n });
      assert.equal(await timeOf({ at: { type: 'height', value: 1 } }), Number(blocks[0]?.timestamp_ms));
      assert.ok((await timeOf({})) > Number(blocks[1]?.timestamp_ms));
    });

    test('sees overridden balances, slots and code, which later calls do not', async () => {
      const poor = { build: transfer('7', NOBODY) };
      assert.equal((await call('tx_simulate', poor)).status.type, 'reverted');
      const slots = [{ slot: slotOf(NOBODY), value: `0x07${'00'.repeat(15)}` }];
      const rich = await call('tx_simulate', { ...poor, overrides: [{ address: tokens, slots }] });
      assert.equal(rich.status.type, 'success');
      assert.equal((await call('tx_simulate', poor)).status.type, 'reverted');
      const overrides = [{ address: NOBODY, balance: '1000000000' }];
      const paying = await call('tx_simulate', { ...poor, overrides });
      assert.deepEqual(paying.state_diff, [
        {
          address: NOBODY,
          balance: { before: '1000000000', after: String(1_000_000_000 - Number(paying.fee)) },
          slots: [],
        },
      ]);
      const five = assemble({
        imports: ['set_output'],
        memory: [1, 1],
        data: [{ at: 0, bytes: Uint8Array.of(5, 0, 0, 0) }],
        functions: [
          { name: 'invoke', type: '>i', code: 'i32.const 0; i32.const 4; call set_output; i32.const 0' },
        ],
      });
      const idl = 'contract Five { method five() -> u32; }';
      const build = { sender: ALICE, action: { type: 'call', value: { contract: NOBODY, method: 'five' } } };
      const ran = await call('tx_simulate', {
        build,
        overrides: [{ address: NOBODY, code: text(five), idl }],
      });
      assert.equal(ran.decoded, 5);
      const failure = await world.refusal('tx_simulate', { build });
      assert.equal(failure.data.kind, 'not_found');
    });

    test('a deployment reports its contract and code hash', async () => {
      const transaction = await world.transaction(deployOf(probeCode));
      const { contract, status, state_diff } = await world.simulate(transaction);
      assert.equal(status.type, 'success');
      const { address } = await world.client.predict_address({ deployer: alice.address });
      assert.deepEqual(contract, address);
      const made = state_diff.find((each) => sameBytes(each.address, address));
      const probe = await world.client.contract_metadata({
        address: Buffer.from(world.probe.slice(2), 'hex'),
      });
      assert.deepEqual(made?.code_hash, probe.code_hash);
      await assert.rejects(world.client.contract_metadata({ address }));
    });

    test('returns a result when the contract fails, with a gas estimate for the same failure', async () => {
      const reverted = await call('tx_simulate', { build: transfer('999999999', BOB) });
      assert.deepEqual(failureOf(reverted).error, {
        name: 'InsufficientBalance',
        args: { available: '135', required: '999999999' },
      });
      assert.equal(reverted.output, failureOf(reverted).data);
      assert.deepEqual(reverted.logs, []);
      assert.equal(reverted.gas_estimate, reverted.gas_used);
      const probe = (input: string, more: object = {}) => ({
        build: {
          sender: ALICE,
          action: { type: 'call', value: { contract: world.probe, input } },
          ...more,
        },
      });
      const trapped = await call('tx_simulate', probe(PROBE.trap));
      assert.equal(failureOf(trapped).kind, 'unreachable');
      assert.match(failureOf(trapped).backtrace?.[0] ?? '', /fall/);
      const endless = await call('tx_simulate', probe(PROBE.loop, { gas_limit: 1_000_000 }));
      assert.deepEqual(endless.status, { type: 'out_of_gas', value: null });
      assert.deepEqual([endless.gas_used, endless.gas_estimate], [1_000_000, 1_000_000]);
      const short = await call('tx_simulate', { build: { ...transfer('7'), gas_limit: 100 } });
      assert.equal(short.status.type, 'out_of_gas');
    });

    test('an unsigned transaction is simulated hypothetically', async () => {
      const usual = await call('tx_simulate', { build: transfer('7') });
      for (const wanted of [{ nonce: 0 }, { nonce: 1_000 }]) {
        const { logs, ...same } = await call('tx_simulate', { build: { ...transfer('7'), ...wanted } });
        assert.deepEqual({ ...same, logs: [] }, { ...usual, logs: [] });
        assert.equal(logs.length, 1);
      }
      const free = await call('tx_simulate', { build: { ...transfer('7'), max_fee: '0' } });
      assert.deepEqual([free.status.type, free.fee, free.gas_used], ['success', '0', usual.gas_used]);
      assert.deepEqual(
        free.state_diff.map((each) => each.address),
        [tokens],
      );
      const poor = await call('tx_simulate', {
        build: {
          sender: NOBODY,
          action: { type: 'call', value: { contract: tokens, method: 'balance_of', args: [BOB] } },
        },
      });
      assert.deepEqual([poor.status.type, poor.decoded, poor.state_diff], ['success', '135', []]);
      assert.equal(poor.fee, String(poor.gas_used));
      const cheap = { ...transfer('7'), max_fee: '1' };
      const expensive = await call('tx_simulate', { build: cheap, block_override: { base_fee: '2' } });
      assert.deepEqual(expensive.status, { type: 'invalid', value: 'max_fee is 1; the base fee is 2' });
      const late = await call('tx_simulate', { build: { ...transfer('7'), valid_until: 3 } });
      assert.match(String(late.status.value), /valid until height 3; the block has height 4/);
      assert.deepEqual([late.gas_used, late.gas_estimate, late.fee, late.state_diff], [0, 0, '0', []]);
    });

    test('a signed transaction is checked as for a block', async () => {
      const action = callOf(tokens, token.function('transfer').encodeCall([BOB, '7']));
      const simulated = async (wanted: object, more: object = {}) =>
        (await call('tx_simulate', { encoded: text(await world.signed(action, wanted)), ...more })).status;
      const { lanes } = await world.client.account({ address: alice.address });
      const next = lanes[0]?.next_nonce ?? assert.fail();
      assert.equal((await simulated({})).type, 'success');
      assert.deepEqual(await simulated({ nonce: 0n }), {
        type: 'invalid',
        value: `nonce is 0; the next of lane 0 is ${next}`,
      });
      assert.match(String((await simulated({ nonce: next + 1n })).value), /nonce is/);
      assert.match(String((await simulated({ valid_until: 3n })).value), /valid until height 3/);
      assert.match(
        String((await simulated({ max_fee: 2n }, { block_override: { base_fee: '3' } })).value),
        /base fee is 3/,
      );
      assert.match(
        String((await simulated({ max_fee: 10n ** 30n, priority_fee: 10n ** 30n })).value),
        /insufficient balance/,
      );
      assert.match(
        String((await simulated({ gas_limit: 900_000_000n })).value),
        /a whole block has 500000000/,
      );
      // At an old height the expected nonce is that height's next nonce.
      const at = { at: { type: 'height', value: 0 } };
      assert.equal((await simulated({ nonce: 0n }, at)).type, 'invalid');
      assert.match(String((await simulated({ nonce: 0n }, at)).value), /no contract at/);
      const stolen = await world.signed(action, {}, { ...bob, sign: (hash) => alice.sign(hash) });
      const failure = await world.refusal('tx_simulate', { encoded: text(stolen) });
      assert.deepEqual(
        [failure.data.kind, failure.data['reason']],
        ['transaction_rejected', 'bad_signature'],
      );
    });

    test('reports reads and writes', async () => {
      const { simulation, access_list } = await access(transfer('7'));
      assert.deepEqual(simulation, await call('tx_simulate', { build: transfer('7') }));
      const slots = [slotOf(ALICE), slotOf(BOB)].sort();
      const expected = [
        { address: ALICE, account: { type: 'read_write', value: null }, slots: [] },
        {
          address: tokens,
          account: { type: 'read', value: null },
          slots: slots.map((slot) => ({ slot, access: { type: 'read_write', value: null } })),
        },
      ].sort((a, b) => (a.address < b.address ? -1 : 1));
      const listed = access_list.map((each) => ({
        ...each,
        slots: each.slots.filter(({ slot }) => slots.includes(slot)),
      }));
      assert.deepEqual(listed, expected);
      const failing = await access(transfer('999999999'));
      // A failed call's writes are reverted; its reads caused the failure.
      for (const { account, slots: read } of failing.access_list.filter((each) => each.address === tokens)) {
        assert.equal(account.type, 'read');
        assert.ok(read.every((each) => each.access.type === 'read'));
      }
    });

    test('every result is written as its codec would', async () => {
      const probe = (input: string) => ({
        sender: ALICE,
        action: { type: 'call', value: { contract: world.probe, input } },
      });
      const builds = [
        ...Object.values(PROBE).map((input) => ({ ...probe(input), gas_limit: 2_000_000 })),
        ...['7', '999999999', '0'].map((amount) => transfer(amount)),
        { sender: ALICE, action: { type: 'transfer', value: { to: NOBODY, amount: '3' } } },
        { ...transfer('7'), valid_until: 1 },
      ];
      const encodings = [encoded(await world.transaction(deployOf(probeCode)))];
      for (const params of [
        ...builds.map((build) => ({ build })),
        ...encodings.map((bytes) => ({ encoded: text(bytes) })),
      ]) {
        const answer = await call('tx_simulate', params);
        const decoded = rpcTypes.TxSimulateResult.fromJson(answer, 'result');
        assert.equal(JSON.stringify(answer), rpcTypes.TxSimulateResult.toJson(decoded));
      }
    });

    test('tx_build_simulate is for admins', async () => {
      const failure = await world.refusal('tx_build_simulate', transfer('7'));
      assert.equal(failure.data.kind, 'unauthorized');
    });

    test('refusals state the reason', async () => {
      const build = transfer('7');
      const transaction = await world.transaction({
        type: 'transfer',
        value: { to: bob.address, amount: 1n },
      });
      const other = text(encoded({ ...transaction, chain_id: 5n }));
      const at = (type: string, value: unknown) => ({ build, at: { type, value } });
      const cases: readonly (readonly [object, string, RegExp])[] = [
        [{}, 'invalid_params', /params: expected exactly one of transaction, build and encoded, got 0/],
        [{ build, encoded: '0x00' }, 'invalid_params', /exactly one .* got 2/],
        [{ encoded: '0x0102' }, 'invalid_params', /params\.encoded: expected borsh\(Transaction\) or/],
        [{ encoded: `${other}00` }, 'invalid_params', /params\.encoded/],
        [{ encoded: other }, 'transaction_rejected', /for chain 5; this is chain/],
        [
          { build: { ...build, gas_limit: 1_000_000_001 } },
          'limit_exceeded',
          /call_gas: at most 1000000000, got 1000000001/,
        ],
        [{ build: transfer('x') }, 'invalid_params', /params\.build\.action\.call\.args\.amount/],
        [
          { build: { ...build, action: { type: 'call', value: { contract: NOBODY, method: 'x' } } } },
          'not_found',
          /no contract/,
        ],
        [{ build, idl: 'contract Broken {' }, 'invalid_params', /params\.idl/],
        [{ build, idl: ' '.repeat(65_537) }, 'limit_exceeded', /idl_bytes/],
        [
          { build, overrides: [{ address: BOB, code: '0x00' }] },
          'invalid_params',
          /params\.overrides\[0\]\.code.*refused/,
        ],
        [at('hash', HASH), 'not_found', /no block abab/],
        [at('after_tx', HASH), 'not_found', /no included transaction abab/],
        [at('height', 4), 'state_unavailable', /not there yet/],
        [{ build, other: 1 }, 'invalid_params', /other/],
        [
          {
            build: { sender: ALICE, action: { type: 'transfer', value: { to: BOB, amount: '5' } } },
            overrides: [{ address: BOB, balance: String(2n ** 128n - 1n) }],
          },
          'invalid_params',
          /params\.overrides: expected balances that together stay below/,
        ],
      ];
      for (const [params, kind, message] of cases) {
        for (const method of ['tx_simulate', 'tx_simulate_access']) {
          const failure = await world.refusal(method, params);
          assert.equal(failure.data.kind, kind, failure.message);
          assert.match(failure.message, message);
        }
      }
      const wrong = await world.refusal('tx_simulate', { encoded: other });
      assert.equal(wrong.data['reason'], 'wrong_chain');
      const later = await world.refusal('tx_simulate', at('height', 9));
      assert.deepEqual([later.data['oldest'], later.data['newest']], [0, 3]);
    });
  });
}

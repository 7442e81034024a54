// Which methods a token's limits of gas and time hold for: all that run contracts, and no others.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SlicedWork } from '../../src/async/sliced-work.js';
import { BoundedLog } from '../../src/config/bounded-log.js';
import { DEFAULT_LIMITS } from '../../src/config/limits.js';
import { rpcMethods } from '../../src/ledger/rpc-codecs.js';
import { CallLimits } from '../../src/rpc/access/call-limits.js';
import { LIMITED_METHODS } from '../../src/rpc/access/declared-gas.js';
import type { Meter } from '../../src/rpc/access/meter.js';
import { TokenSlots } from '../../src/rpc/access/token-slots.js';
import { SlowCalls } from '../../src/rpc/calls/slow-calls.js';
import { Dispatcher } from '../../src/rpc/dispatcher.js';
import { bindNodeRpcV1 } from '../../src/rpc/front-end.js';
import { EncodedResult, type HandlerContext, type MethodHandlers } from '../../src/rpc/handlers.js';
import { ByteBudget } from '../../src/rpc/limits/byte-budget.js';
import { RpcMetrics } from '../../src/rpc/metrics/rpc-metrics.js';
import { meteredCaller } from '../support/tokens/metered-caller.js';

const READS = 'reads what the chain, the pool or the node has stored';
const PAYS = 'contracts run in a block only, and the sender pays for their gas';
const ENCODES = 'encodes arguments by an interface, without running the contract';
const DECODES = 'decodes stored events and calls by an interface, without running the contract';
const PROVES = 'reads and hashes what the chain has stored';

/** Why a method needs no limit. A new method belongs here or in LIMITED_METHODS. */
const UNLIMITED: Readonly<Record<string, string>> = {
  status: READS,
  health: READS,
  readiness: READS,
  validator_status: READS,
  account: READS,
  accounts: READS,
  predict_address: READS,
  contract_metadata: READS,
  contract_idl: READS,
  tx_build: ENCODES,
  tx_submit: PAYS,
  tx_submit_sealed: PAYS,
  tx_submit_bundle: PAYS,
  tx_by_hash: READS,
  tx_receipt: DECODES,
  list_blocks: READS,
  list_txs: DECODES,
  list_txs_by_sender: DECODES,
  list_txs_by_contract: DECODES,
  list_txs_by_recipient: DECODES,
  list_tokens_by_holder: DECODES,
  list_contracts: READS,
  get_logs: DECODES,
  list_pending_txs: READS,
  txpool_stats: READS,
  get_blocks: READS,
  get_block_summaries: READS,
  get_txs_in_range: READS,
  finality_proof: PROVES,
  light_client_context: PROVES,
  state_proof: PROVES,
  finalized_history_root: PROVES,
  finalized_history_proof: PROVES,
  get_checkpoint_list: READS,
  get_light_snapshot: READS,
  get_checkpoint: READS,
  list_checkpoints: READS,
  get_snapshot_chunk: READS,
  import_snapshot_chunk: PROVES,
  get_epoch_key: READS,
  token_usage: READS,
};

describe("a token's limits of gas and time", () => {
  const ignore = () => undefined;
  const contexts: HandlerContext[] = [];
  const record = (_params: unknown, call: HandlerContext): EncodedResult => {
    contexts.push(call);
    return new EncodedResult('null');
  };
  const handlers = Object.fromEntries([...rpcMethods.keys()].map((name) => [name, record]));
  const methods = bindNodeRpcV1(rpcMethods, handlers as unknown as MethodHandlers);
  const log = new BoundedLog({ info: ignore, error: ignore });
  const dispatcher = new Dispatcher({
    interfaces: [
      methods.map(({ declaration, ...method }) => {
        const { name, qualifiedName, tier, cost, isImmutable } = declaration;
        const asIs = { decodeParams: (params: unknown) => params, encodeResult: () => 'null' };
        return { ...method, declaration: { name, qualifiedName, tier, cost, isImmutable, ...asIs } };
      }),
    ],
    limits: DEFAULT_LIMITS,
    metrics: new RpcMetrics(),
    log,
    slowCalls: new SlowCalls(log, 0),
    budget: new ByteBudget(1_000_000, assert.ifError),
    work: new SlicedWork({ now: () => 0 }),
  });
  const claims = { subject: 'ann', tier: 'admin', expiresAtMs: 0, gas: 50_000_000, time: 500 } as const;
  const node = { maxCallGas: 1_000_000_000, maxCallMs: 5_000 };
  const slots = new TokenSlots(TokenSlots.memory());
  const meter: Meter = {
    charge: () => undefined,
    chargeLater: () => Promise.resolve(undefined),
    chargeWork: () => undefined,
    refund: () => undefined,
    chargeRefusal: () => undefined,
    calls: CallLimits.of(claims, { slot: 0, generation: 0 }, slots, node),
    headers: () => [],
  };
  const context = meteredCaller(meter);

  for (const name of rpcMethods.keys()) {
    const reason = UNLIMITED[name];
    test(`${name}: ${reason ?? 'runs contracts'}`, async () => {
      contexts.length = 0;
      assert.equal(await dispatcher.call(name, {}, context), 'null');
      const { allowance } = contexts[0] ?? assert.fail('the handler was not called');
      assert.equal(allowance?.ms, reason === undefined ? 500 : undefined);
    });
  }

  test('name only methods of the interface', () => {
    const names = [...LIMITED_METHODS, ...Object.keys(UNLIMITED)];
    assert.deepEqual(names.sort(), [...rpcMethods.keys()].sort());
  });
});

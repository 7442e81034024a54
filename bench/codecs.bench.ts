/**
 * Cost of the codecs on the hot paths: a signed transfer from and to Borsh, and the answers of `account` and `status`.
 * The floors are printed beside them: JSON.parse and JSON.stringify of values that are JSON already.
 *
 *     node dist/bench/codecs.bench.js
 */
import { Bench } from 'tinybench';
import type { SignedTransaction } from '../src/generated/ledger.js';
import type { Account, Status } from '../src/generated/node-rpc-v1.js';
import { ledger } from '../src/ledger/codecs.js';
import { rpcMethods, rpcTypes } from '../src/ledger/rpc-codecs.js';
import { printLatencies } from './support/print-latencies.js';

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 0xff);

const signed: SignedTransaction = {
  transaction: {
    chain_id: 1337n,
    sender: bytes(20),
    lane: 0,
    nonce: 4711n,
    gas_limit: 21_000n,
    max_fee: 2_000_000_000n,
    priority_fee: 1_000_000_000n,
    valid_until: 1_000_000n,
    action: { type: 'transfer', value: { to: bytes(20), amount: 10n ** 18n } },
  },
  signature: { type: 'ed25519', value: { public_key: bytes(32), signature: bytes(64) } },
};

const account: Account = {
  address: bytes(20),
  exists: true,
  balance: 10n ** 24n,
  lanes: [{ lane: 0, next_nonce: 4711n, pending: 3 }],
  deploy_index: 0n,
  is_contract: false,
};

const status: Status = {
  version: '0.1.0',
  chain_id: 1337n,
  now_ms: 1_700_000_000_000n,
  uptime_ms: 12_345_678n,
  block_time_ms: 250,
  tip: {
    height: 123_456n,
    hash: bytes(32),
    timestamp_ms: 1_700_000_000_000n,
    state_root: bytes(32),
    epoch: 0n,
    view: 123_456n,
  },
  finalized_height: 123_456n,
  latest_checkpoint: { height: 120_000n, state_root: bytes(32) },
  txpool_size: 42,
  epoch: 0n,
  validator_set: {
    epoch: 0n,
    quorum: 1,
    group_public_key: bytes(48),
    validators: [{ index: 0, address: bytes(20), identity_key: bytes(32), share_public_key: bytes(48) }],
  },
  syncing: false,
};

const encoding = ledger.SignedTransaction.encode(signed);
const statusText = rpcTypes.Status.toJson(status);
const statusValue: unknown = JSON.parse(statusText);
const submitText = `{"signed":${rpcTypes.SignedTransaction.toJson(signed)}}`;
const submitParams: unknown = JSON.parse(submitText);
const accountParams: unknown = { address: `0x${'ab'.repeat(20)}` };
const accountCodec = rpcMethods.get('account');
const submitCodec = rpcMethods.get('tx_submit');
if (accountCodec === undefined || submitCodec === undefined)
  throw new Error('the interface has lost its methods');

const bench = new Bench({ time: 500, warmupTime: 200 });
bench
  .add('SignedTransaction decode, Borsh', () => ledger.SignedTransaction.decode(encoding))
  .add('SignedTransaction encode, Borsh', () => ledger.SignedTransaction.encode(signed))
  .add('SignedTransaction encodeTransient, Borsh', () => ledger.SignedTransaction.encodeTransient(signed))
  .add('SignedTransaction toJson', () => rpcTypes.SignedTransaction.toJson(signed))
  .add('tx_submit decodeParams', () => submitCodec.decodeParams(submitParams))
  .add('  floor: JSON.parse of the same params', () => JSON.parse(submitText))
  .add('account decodeParams', () => accountCodec.decodeParams(accountParams))
  .add('Account toJson', () => rpcTypes.Account.toJson(account))
  .add('Status toJson', () => rpcTypes.Status.toJson(status))
  .add('  floor: JSON.stringify of the same status', () => JSON.stringify(statusValue));

await bench.run();

printLatencies(bench);

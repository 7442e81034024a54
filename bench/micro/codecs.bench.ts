/**
 * Cost of the codecs on the hot paths: a signed transfer from and to Borsh, and the parameters and answers of calls.
 * Floors: `JSON.parse` and `JSON.stringify` of the same values as JSON.
 */
import type { SignedTransaction } from '../../src/generated/ledger.js';
import type { Account, Status } from '../../src/generated/node-rpc-v1.js';
import { ledger } from '../../src/ledger/codecs.js';
import { rpcMethods, rpcTypes } from '../../src/ledger/rpc-codecs.js';
import { type Floor, measurePairs } from './paired-tasks.js';

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
const signedText = rpcTypes.SignedTransaction.toJson(signed);
const signedValue: unknown = JSON.parse(signedText);
const submitText = `{"signed":${signedText}}`;
const submitParams: unknown = JSON.parse(submitText);
const accountParams: unknown = { address: `0x${'ab'.repeat(20)}` };
const accountCodec = rpcMethods.get('account');
const submitCodec = rpcMethods.get('tx_submit');
if (accountCodec === undefined || submitCodec === undefined)
  throw new Error('the interface has lost its methods');

const parse = (text: string): readonly Floor[] => [{ name: 'JSON.parse', run: () => JSON.parse(text) }];
const stringify = (value: unknown): readonly Floor[] => [
  { name: 'JSON.stringify', run: () => JSON.stringify(value) },
];

await measurePairs('codecs', 'ns', [
  {
    name: 'signed transfer, Borsh decoded',
    run: () => ledger.SignedTransaction.decode(encoding),
    floors: parse(signedText),
  },
  {
    name: 'signed transfer, Borsh encoded',
    run: () => ledger.SignedTransaction.encode(signed),
    floors: stringify(signedValue),
  },
  {
    name: 'signed transfer, Borsh encoded without a copy',
    run: () => ledger.SignedTransaction.encodeTransient(signed),
    floors: stringify(signedValue),
  },
  {
    name: 'signed transfer, to JSON',
    run: () => rpcTypes.SignedTransaction.toJson(signed),
    floors: stringify(signedValue),
  },
  {
    name: 'parameters of tx_submit, decoded from parsed JSON',
    run: () => submitCodec.decodeParams(submitParams),
    floors: parse(submitText),
  },
  {
    name: 'parameters of account, decoded from parsed JSON',
    run: () => accountCodec.decodeParams(accountParams),
    floors: parse(JSON.stringify(accountParams)),
  },
  {
    name: 'account, to JSON',
    run: () => rpcTypes.Account.toJson(account),
    floors: stringify(JSON.parse(rpcTypes.Account.toJson(account))),
  },
  {
    name: 'status, to JSON',
    run: () => rpcTypes.Status.toJson(status),
    floors: stringify(JSON.parse(rpcTypes.Status.toJson(status))),
  },
]);

/**
 * Cost of the codecs for contract interfaces, which are known only at run time: call arguments from JSON, view
 * results and events to JSON. Every decoded receipt and log needs the conversions to JSON.
 *
 *     npm run bench -- abi [--rounds 5] [--milliseconds 150]
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/config/package-info.js';
import { compileContract } from '../src/idl/abi/contract-abi.js';
import { compileIdl } from '../src/idl/compiler/compile.js';
import { measurePairs } from './micro/paired-tasks.js';

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();
const manifestOf = (name: string, text: string) => compileIdl([{ name, text }]).manifest;

const tokenManifest = manifestOf(
  'token.idl',
  readFileSync(join(packageRoot(), 'contracts', 'token', 'token.idl'), 'utf8'),
);
const bookManifest = manifestOf(
  'book.idl',
  `struct Order { id: u64; owner: address; price: u128; amount: u128; side: Side; note?: string; }
enum Side { Buy, Sell, Limit: u64 }
contract Book { view orders() -> Order[]; }`,
);

const token = compileContract(tokenManifest, sha256);
const book = compileContract(bookManifest, sha256);
const address = `0x${'ab'.repeat(20)}`;
const transfer = token.functions.get('transfer');
const event = token.events.get('Transfer');
const orders = book.functions.get('orders');
if (transfer === undefined || event === undefined || orders === undefined) throw new Error('no such member');
const input = transfer.encodeCall({ to: address, amount: '250' });
const log = event.encode({ from: address, to: address, amount: '250' });
const listed = orders.encodeResult(
  Array.from({ length: 20 }, (_, id) => ({
    id,
    owner: address,
    price: '1000000000000000000',
    amount: '25',
    side: id % 2 === 0 ? { type: 'buy' } : { type: 'limit', value: 7 },
    ...(id % 3 === 0 ? { note: 'a short note' } : {}),
  })),
);

const tasks: Readonly<Record<string, () => unknown>> = {
  'transfer, arguments from JSON': () => transfer.encodeCall({ to: address, amount: '250' }),
  'transfer, arguments to JSON': () => transfer.decodeCall(input),
  'Transfer event to JSON text': () => event.decodeToText(log.topics, log.data),
  'a list of 20 orders to JSON': () => orders.decodeResult(listed),
  'a contract compiled, one event decoded': () => {
    const abi = compileContract(tokenManifest, sha256);
    abi.decodeEvent(log.topics, log.data);
  },
};
await measurePairs(
  'codecs of contract interfaces',
  'ns',
  Object.entries(tasks).map(([name, run]) => ({ name, run, floors: [] })),
);

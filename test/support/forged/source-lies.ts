import assert from 'node:assert/strict';
import type { NodeProcess } from '../nodes/node-process.js';
import { caughtUp, directClient, startFollower, until } from '../worlds/followed-chain.js';
import { type Tamper, TamperingSource } from './tampering-source.js';

type Json = Record<string, unknown>;

const flipped = (hex: unknown) =>
  String(hex).replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16));

/** Tampers with a copy of one method's results. */
function changing(method: string, change: (result: Json) => void): Tamper {
  return (call, result) => {
    if (call.method !== method) return undefined;
    const copy = structuredClone(result) as Json;
    change(copy);
    return { kind: 'result', result: copy };
  };
}

const always =
  (method: string, kind: 'truncated' | 'endless'): Tamper =>
  (call) =>
    call.method === method ? { kind } : undefined;

const blocksOf = (result: Json) => result['blocks'] as { hash: string; header: Json; items: unknown[] }[];
const first = <T>(list: readonly T[]): T => {
  const [one] = list;
  assert.ok(one !== undefined);
  return one;
};

export const BLOCK_LIES: Readonly<Record<string, Tamper>> = {
  'another state root': changing('get_blocks', (result) => {
    const { header } = first(blocksOf(result));
    header['state_root'] = flipped(header['state_root']);
  }),
  'another hash': changing('get_blocks', (result) => {
    const block = first(blocksOf(result));
    block.hash = flipped(block.hash);
  }),
  'an item too many': changing('get_blocks', (result) => {
    const blocks = blocksOf(result);
    const full = blocks.find(({ items }) => items.length > 0) ?? first(blocks);
    const { items } = full;
    if (items.length === 0) full.header['transactions_root'] = flipped(full.header['transactions_root']);
    else items.push(items[0]);
  }),
  'the block after the next': changing('get_blocks', (result) => {
    const { header } = first(blocksOf(result));
    header['height'] = Number(header['height']) + 1;
  }),
  'no blocks': changing('get_blocks', (result) => {
    blocksOf(result).length = 0;
  }),
  'another signature': changing('finalized_history_root', (result) => {
    const certificate = result['certificate'] as Json;
    certificate['signature'] = flipped(certificate['signature']);
  }),
  'the certificate of another view': changing('finalized_history_root', (result) => {
    const certificate = result['certificate'] as Json;
    certificate['view'] = Number(certificate['view']) + 1;
  }),
  'a tip that is not there': changing('status', (result) => {
    const tip = result['tip'] as Json;
    tip['height'] = Number(tip['height']) + 1_000_000;
  }),
  'half an answer': always('get_blocks', 'truncated'),
  'other validators': changing('status', (result) => {
    const set = result['validator_set'] as Json;
    set['group_public_key'] = flipped(set['group_public_key']);
  }),
  'a web page': (call) =>
    call.method === 'get_blocks' ? { kind: 'text', text: '<html>welcome</html>' } : undefined,
  'an answer without end': always('finalized_history_root', 'endless'),
};

const entriesOf = (result: Json) => result['entries'] as { key: string; value: string }[];

export const CHUNK_LIES: Readonly<Record<string, Tamper>> = {
  'a changed value': changing('get_snapshot_chunk', (result) => {
    const entry = first(entriesOf(result));
    entry.value = flipped(entry.value);
  }),
  'a missing leaf': changing('get_snapshot_chunk', (result) => {
    entriesOf(result).splice(3, 1);
  }),
  'leaves in another order': changing('get_snapshot_chunk', (result) => {
    entriesOf(result).reverse();
  }),
  'a chunk of another height': changing('get_snapshot_chunk', (result) => {
    result['height'] = Number(result['height']) - 10;
  }),
  'another proof': changing('get_snapshot_chunk', (result) => {
    const proof = result['proof'] as Json;
    proof['siblings'] = (proof['siblings'] as string[]).map(flipped);
  }),
  'a blob that nothing names': changing('get_snapshot_chunk', (result) => {
    result['blobs'] = ['0x00ff'];
  }),
  'half an answer': always('get_snapshot_chunk', 'truncated'),
  'an answer without end': always('get_snapshot_chunk', 'endless'),
  'another certificate': changing('get_light_snapshot', (result) => {
    const certificate = result['certificate'] as Json;
    certificate['signature'] = flipped(certificate['signature']);
  }),
  'another state root': changing('get_light_snapshot', (result) => {
    const checkpoint = result['checkpoint'] as Json;
    checkpoint['state_root'] = flipped(checkpoint['state_root']);
  }),
  'chunks without number': changing('get_light_snapshot', (result) => {
    const checkpoint = result['checkpoint'] as Json;
    checkpoint['chunk_count'] = 4_294_967_295;
  }),
  'another cut': changing('get_light_snapshot', (result) => {
    const checkpoint = result['checkpoint'] as Json;
    checkpoint['chunks_root'] = flipped(checkpoint['chunks_root']);
  }),
};

/** Starts a follower that has to detect all lying sources before it reaches the only honest one. */
export async function amongLiars(
  source: NodeProcess,
  lies: Readonly<Record<string, Tamper>>,
  flags: readonly string[],
): Promise<void> {
  const liars: [lie: string, liar: TamperingSource][] = [];
  for (const [lie, tamper] of Object.entries(lies)) {
    liars.push([lie, await TamperingSource.start(source.url, tamper)]);
  }
  const honest = await TamperingSource.start(source.url);
  honest.cut = true;
  const urls = [...liars.map(([, { url }]) => url), honest.url];
  let follower: NodeProcess | undefined;
  try {
    follower = await startFollower(urls, { flags });
    const client = directClient(follower);
    const { log } = follower;
    assert.ok(!log.includes('is complete'));
    const believed = () =>
      liars.flatMap(([lie, { url }]) => (follower?.log.includes(`dropped the source ${url}`) ? [] : [lie]));
    await until(
      () => Promise.resolve(believed()),
      (left) => left.length === 0,
      120_000,
    );
    honest.cut = false;
    await caughtUp(follower, source);
    // On a busy machine a source counts as disconnected for a moment.
    await until(
      async () => (await client.validator_status()).peers.filter(({ connected }) => connected),
      (connected) => connected.map(({ address }) => address).join() === honest.address,
      20_000,
    );
    const { tip } = await client.status();
    const range = { from_height: tip.height, to_height: tip.height };
    assert.deepEqual(await client.get_blocks(range), await directClient(source).get_blocks(range));
  } finally {
    await follower?.dispose();
    for (const [, liar] of liars) await liar.stop();
    await honest.stop();
  }
}

// A follower started from a checkpoint reports that earlier history is missing instead of returning empty results.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Client, ClientError, devAccount, RpcCallError } from '../../src/client/client.js';
import { CONTRACTS } from '../support/contract-world.js';
import {
  caughtUp,
  directClient,
  grow,
  startFollower,
  startSource,
  until,
} from '../support/followed-chain.js';
import type { NodeProcess } from '../support/node-process.js';

const alice = devAccount(0);
const address = `0x${Buffer.from(alice.address).toString('hex')}`;

describe('a follower started from a checkpoint', () => {
  let source: NodeProcess;
  let follower: NodeProcess;
  let client: Client;
  let token: Uint8Array;
  let early: Uint8Array;
  let earlyBlock: Uint8Array;
  let oldest: bigint;

  before(async () => {
    source = await startSource();
    const sender = directClient(source).sender(alice);
    const init = { name: 'T', symbol: 'T', decimals: 0, supply: '1000', owner: address, minter: address };
    const deployed = await sender.deploy({
      code: readFileSync(join(CONTRACTS, 'token', 'token.wasm')),
      idl: readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8'),
      init,
    });
    token = deployed.contract.address;
    const sent = await deployed.contract.call('transfer', { to: address, amount: '1' });
    early = sent.hash;
    earlyBlock = sent.receipt.block_hash;
    await grow(source, sent.receipt.height + 12n);
    await until(
      () => directClient(source).status(),
      ({ latest_checkpoint: { height } }) => height > sent.receipt.height,
    );
    follower = await startFollower([source.url]);
    await grow(source, (await directClient(source).status()).tip.height + 3n);
    await caughtUp(follower, source);
    client = directClient(follower);
    const refused = await refusal(client.get_blocks({ from_height: 1n, to_height: 2n }));
    oldest = BigInt(Number(refused.data['oldest']));
    assert.ok(oldest > sent.receipt.height, 'it began above what is asked for here');
  });
  after(async () => {
    await follower?.dispose();
    await source?.dispose();
  });

  async function refusal(answer: Promise<unknown>): Promise<RpcCallError> {
    try {
      await answer;
    } catch (error) {
      assert.ok(error instanceof RpcCallError, String(error));
      return error;
    }
    throw new Error('it was answered');
  }

  async function unavailable(answer: Promise<unknown>): Promise<void> {
    const { kind, data } = await refusal(answer);
    assert.equal(kind, 'state_unavailable');
    assert.equal(data['oldest'], Number(oldest));
    assert.equal(typeof data['newest'], 'number');
  }

  test('finds no earlier transaction and names its first height', async () => {
    const found = await client.tx_by_hash({ tx_hash: early });
    assert.deepEqual(found, { status: { type: 'not_found' }, oldest_height: oldest });
    assert.deepEqual(await client.tx_receipt({ tx_hash: early }), { oldest_height: oldest });
    assert.deepEqual(await client.tx_receipt({ tx_hash: early, with_proof: true }), {
      oldest_height: oldest,
    });
    const never = new Uint8Array(32).fill(7);
    assert.deepEqual(await client.tx_by_hash({ tx_hash: never }), {
      status: { type: 'not_found' },
      oldest_height: oldest,
    });
    const whole = await directClient(source).tx_by_hash({ tx_hash: never });
    assert.deepEqual(whole, { status: { type: 'not_found' } });
  });

  test('does not wait for an unknown transaction', async () => {
    const waiting = client.waitForReceipt(early, { unknownMs: 600 });
    await assert.rejects(waiting, (error) => {
      assert.ok(error instanceof ClientError);
      assert.equal(error.code, 'unknown_transaction');
      assert.match(error.message, new RegExp(`knows no transaction .* from height ${oldest} on`));
      return true;
    });
  });

  test('refuses traces and calls that name an earlier block or transaction', async () => {
    const call = { contract: token, method: 'total_supply' };
    for (const answer of [
      client.chain_traceTransaction({ tx_hash: early }),
      client.view_call({ ...call, at: { type: 'after_tx', value: early } }),
      client.view_call({ ...call, at: { type: 'hash', value: earlyBlock } }),
    ]) {
      const { kind, data, message } = await refusal(answer);
      assert.equal(kind, 'not_found');
      assert.equal(data['oldest'], Number(oldest));
      assert.match(message, new RegExp(`from height ${oldest} on`));
    }
  });

  test('refuses ranges that reach below its first block, also by default', async () => {
    const tip = (await client.status()).tip.height;
    await unavailable(client.get_logs({ contract: token }));
    await unavailable(client.get_logs({}));
    await unavailable(client.get_logs({ from_height: oldest - 1n }));
    await unavailable(client.get_logs({ contract: token, from_height: 0n, to_height: tip }));
    for (const range of [
      { from_height: 0n, to_height: tip },
      { from_height: oldest - 1n, to_height: oldest },
    ]) {
      await unavailable(client.get_blocks(range));
      await unavailable(client.get_block_summaries(range));
      await unavailable(client.get_txs_in_range(range));
    }
    assert.deepEqual((await client.get_logs({ from_height: oldest, contract: token })).logs, []);
    await client.get_blocks({ from_height: oldest, to_height: tip });
  });

  test('ends listings with that error instead of an empty page', async () => {
    await unavailable(client.list_txs_by_contract({ contract: token }));
    await unavailable(client.list_txs_by_sender({ sender: alice.address }));
    for (const list of [
      (cursor?: string) => client.list_blocks({ limit: 500, ...(cursor !== undefined && { cursor }) }),
      (cursor?: string) => client.list_txs({ limit: 500, ...(cursor !== undefined && { cursor }) }),
    ]) {
      const page = await list();
      assert.ok(page.next_cursor !== undefined, 'the listing is not at its end');
      await unavailable(list(page.next_cursor));
    }
    const whole = await directClient(source).list_txs_by_contract({ contract: token });
    assert.equal(whole.transactions.length, 2);
    assert.equal(whole.next_cursor, undefined);
  });
});

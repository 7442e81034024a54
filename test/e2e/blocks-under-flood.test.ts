// Blocks do not wait for RPC calls, however long these take.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Client, connect, devAccount } from '../../src/client/client.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { contractAbi, contractCode } from '../support/worlds/contract-world.js';

const CALLS = 12;
/** Iterations that occupy the only RPC worker for a few hundred milliseconds. */
const ITERATIONS = 60_000_000;

const count = (iterations: number): Uint8Array =>
  contractAbi('compute').function('count').encodeCall({ iterations });

describe('under a flood of long calls', () => {
  let node: NodeProcess;
  let client: Client;
  let compute: Uint8Array;

  before(async () => {
    node = await NodeProcess.start({
      // No call runs into its limit of time, however busy the machine is.
      flags: ['--seal', 'instant', '--workers', '1', '--block-workers', '2', '--max-call-ms', '60000'],
    });
    // On a slow machine calls wait longer than the queue allows, and have to ask again.
    client = connect(node.url, { timeoutMs: 240_000, retry: { retries: 100 } });
    // Deployed without an interface, because the loop's sum does not fit a JSON number.
    const { contract } = await client.sender(devAccount(0)).deploy({ code: contractCode('compute') });
    compute = contract.address;
  });
  after(async () => {
    await node?.dispose();
  });

  test('contract calls are included while flood calls wait', async () => {
    let answered = 0;
    const flood = Array.from({ length: CALLS }, async () => {
      const { status } = await client.view_call({ contract: compute, input: count(ITERATIONS) });
      assert.equal(status.type, 'success');
      answered++;
    });
    const { receipt } = await client
      .sender(devAccount(1))
      .send(
        { type: 'call', value: { contract: compute, input: count(10), value: 0n } },
        { wait: 'included' },
      );
    assert.equal(receipt.status.type, 'success');
    assert.ok(answered < CALLS, `all of ${answered} calls were answered before the block was sealed`);
    await Promise.all(flood);
    assert.equal(answered, CALLS);
  });
});

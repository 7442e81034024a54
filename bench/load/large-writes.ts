// Memory of a follower on full blocks that write and replace slots of 16 KiB:
//   npm run bench -- large-writes [--blocks 40] [--chain DIR] [--follower-flag=--x …]
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../src/client/client.js';
import { hex } from '../../test/outside/bytes.js';
import { RpcClient } from '../../test/outside/rpc.js';
import { TxSubmitResult } from '../../test/outside/rpc-shapes.js';
import { nodeStatus, Traffic } from '../../test/outside/traffic.js';
import { devWallet, type TransactionFields } from '../../test/outside/wallet.js';
import { assemble } from '../../test/support/contracts/wasm-assembler.js';
import { deployment } from '../../test/support/nodes/attack-sender.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../../test/support/nodes/node-process.js';
import { processMemory } from '../../test/support/nodes/process-memory.js';
import { benchArguments } from '../support/bench-arguments.js';
import { atMost, recordCost } from '../support/record-values.js';
import { printReport } from '../support/statistics.js';

const VALUE_BYTES = 16_384;
/** Slots that are written again and again. */
const SLOTS = 5_000;
/** The block's gas, with room for what every transaction costs. */
const CALL_GAS = 499_000_000n;
/** Gas that the contract keeps for its end. */
const GAS_LEFT = 700_000;
const MOST_MIB = 1_229;
const DEADLINE_MS = 600_000;

const values = benchArguments({
  blocks: { type: 'string', default: '40' },
  /** Directory of the sealed chain; an existing chain is reused, so that several builds can follow it in turn. */
  chain: { type: 'string' },
  'follower-flag': { type: 'string', multiple: true, default: [] },
  'node-flag': { type: 'string', multiple: true, default: [] },
});

/** Writes from the slot of the input's le32 on, while there is gas. */
const CODE = assemble({
  imports: ['input_read', 'storage_write', 'gas_left'],
  memory: [1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 0; i32.const 0; i32.const 4; call input_read; drop
        loop
          i32.const 64; i32.const 0; i32.load; i32.const ${SLOTS}; i32.rem_u; i32.store
          i32.const 128; i32.const 0; i32.load; i32.store
          i32.const 64; i32.const 128; i32.const ${VALUE_BYTES}; call storage_write
          i32.const 0; i32.const 0; i32.load; i32.const 1; i32.add; i32.store
          call gas_left; i64.const ${GAS_LEFT}; i64.gt_u; br_if 0
        end
        i32.const 0`,
    },
  ],
});

const dataDir = values.chain ?? temporaryDirectory();
const source = await NodeProcess.start({
  dataDir: join(dataDir, 'chain'),
  flags: ['--idle-block-time', '0'],
});
try {
  const rpc = new RpcClient(source.url);
  const { tip } = await nodeStatus(rpc);
  if (tip.height < BigInt(values.blocks)) await seal(rpc, Number(values.blocks));
  const sealer = processMemory(source.pid).peakMiB;
  const { height } = (await nodeStatus(rpc)).tip;
  rpc.close();
  const { mib, seconds } = await follow(height);
  printReport('full blocks of 16 KiB writes', {
    blocks: Number(height),
    'follower, peak MiB': mib,
    'seconds to catch up': seconds,
    'sealing node, peak MiB': sealer,
  });
  recordCost('memory of a follower, at most', 'MiB', mib, atMost(MOST_MIB));
} finally {
  await source.dispose();
  if (values.chain === undefined) removeDirectory(dataDir);
}

async function seal(rpc: RpcClient, blocks: number): Promise<void> {
  const wallet = devWallet(0);
  const traffic = new Traffic((await nodeStatus(rpc)).chain_id, 1);
  const send = async (action: TransactionFields['action'], gasLimit: bigint) => {
    // The base fee grows with each full block.
    const { encoded } = traffic.next(wallet, { gasLimit, maxFee: 10n ** 15n, action });
    const params = { encoded, wait: { type: 'included' }, timeout_ms: 60_000 };
    const { receipt } = TxSubmitResult.fromJson(await rpc.call('tx_submit', params), 'tx_submit');
    if (receipt?.status.type !== 'success') throw new Error(`a transaction failed: ${receipt?.status.type}`);
    return receipt;
  };
  const { contract } = await send(deployment(CODE), 250_000_000n);
  if (contract === undefined) throw new Error('no contract was deployed');
  let first = 0;
  for (let block = 1; block < blocks; block++) {
    const input = new Uint8Array(Uint32Array.of(first).buffer);
    const { gas_used: gas } = await send({ type: 'call', value: { contract, input, value: 0n } }, CALL_GAS);
    if (gas < 490_000_000n) throw new Error(`block ${block} of contract 0x${hex(contract)} has ${gas} gas`);
    first += 900;
  }
}

async function follow(target: bigint): Promise<{ readonly mib: number; readonly seconds: number }> {
  const began = performance.now();
  const follower = await NodeProcess.start({
    flags: ['--follow', source.url, '--trust', 'dev', '--sync-from', 'genesis', ...values['follower-flag']],
    nodeFlags: values['node-flag'],
  });
  try {
    const client = connect(follower.url, { retry: { retries: 0 } });
    const isThere = async (): Promise<boolean> => {
      try {
        return (await client.status()).tip.height >= target;
      } catch {
        return false;
      }
    };
    while (!(await isThere())) {
      if (performance.now() - began > DEADLINE_MS) throw new Error('the follower did not catch up');
      await sleep(50);
    }
    return { mib: processMemory(follower.pid).peakMiB, seconds: (performance.now() - began) / 1_000 };
  } finally {
    await follower.dispose();
  }
}

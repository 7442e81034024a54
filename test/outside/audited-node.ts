import assert from 'node:assert/strict';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { sweep } from '../support/sweep.js';
import { hex } from './bytes.js';
import { type AuditedTransaction, ChainAuditor } from './chain-auditor.js';
import { COUNTER_GAS_LIMIT, callCounter, contractAddress, deployCounter } from './counter-contract.js';
import type { BlockHeader } from './ledger-shapes.js';
import { RpcClient } from './rpc.js';
import {
  devAllocation,
  devWallets,
  drained,
  newWallets,
  nodeStatus,
  submitEvery,
  Traffic,
} from './traffic.js';
import { type SentTransaction, transfer, type Wallet } from './wallet.js';

const FLAGS = ['--block-time', '40', '--idle-block-time', '0', '--checkpoint-interval', '10'];
/** Blocks with traffic, at least. */
const ROUNDS = 30;
const PER_ROUND = sweep(9);

type Allocation = Awaited<ReturnType<typeof devAllocation>>;

/** A node with mixed traffic, whose chain was audited by code that shares nothing with it. It seals nothing while idle. */
export class AuditedNode {
  node: NodeProcess;
  rpc: RpcClient;
  readonly allocation: Allocation;
  readonly auditor: ChainAuditor;
  /** All transactions that the node accepted. */
  readonly sent: SentTransaction[] = [];
  readonly counters: Uint8Array[] = [];
  readonly headers: BlockHeader[] = [];
  /** The model's values after each height, by key. */
  readonly states: ReadonlyMap<string, string>[] = [];

  private constructor(node: NodeProcess, rpc: RpcClient, allocation: Allocation) {
    this.node = node;
    this.rpc = rpc;
    this.allocation = allocation;
    this.auditor = new ChainAuditor({
      allocation,
      proofs: 'all',
      onBlock: (header, model) => {
        this.headers.push(header);
        this.states.push(new Map(model.leaves().map(({ key, value }) => [hex(key), hex(value)])));
      },
    });
  }

  static async start(): Promise<AuditedNode> {
    const node = await NodeProcess.start({ dataDir: temporaryDirectory(), flags: FLAGS });
    const rpc = new RpcClient(node.url);
    const audited = new AuditedNode(node, rpc, await devAllocation(rpc));
    try {
      await audited.#fill();
      await audited.auditor.advance(rpc);
    } catch (error) {
      await audited.dispose();
      throw error;
    }
    return audited;
  }

  get tip(): number {
    return this.auditor.height - 1;
  }

  /** Everything audited, newest first: the order of the listings. */
  newestFirst(): AuditedTransaction[] {
    return [...this.auditor.transactions.values()].sort(
      (a, b) => Number(b.height - a.height) || b.index - a.index,
    );
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.rpc.close();
    await this.node.stop(signal);
  }

  async startAgain(): Promise<void> {
    this.node = await NodeProcess.start({ dataDir: this.node.dataDir, flags: FLAGS });
    this.rpc = new RpcClient(this.node.url);
  }

  async dispose(): Promise<void> {
    this.rpc.close();
    await this.node.kill();
    removeDirectory(this.node.dataDir);
  }

  async #fill(): Promise<void> {
    const { rpc } = this;
    const submit = async (batch: readonly SentTransaction[]) => {
      await submitEvery(rpc, batch);
      this.sent.push(...batch);
      await drained(rpc);
    };
    const { chain_id: chainId } = await nodeStatus(rpc);
    const traffic = new Traffic(chainId, 11);
    const { random } = traffic;
    const rich = devWallets();
    const wallets = [...rich, ...newWallets(6, 'outside audit')];
    await submit(
      wallets.slice(rich.length).map((wallet, i) => {
        const payer = rich[i % rich.length] ?? assert.fail();
        return traffic.next(payer, { action: transfer(wallet.address, 1_000_000_000_000_000n) });
      }),
    );
    const deployers = rich.slice(0, 3);
    await submit(
      deployers.map((wallet) =>
        traffic.next(wallet, { lane: 9, gasLimit: COUNTER_GAS_LIMIT, action: deployCounter() }),
      ),
    );
    this.counters.push(...deployers.map(({ address }) => contractAddress(address, 0n)));
    const [first = assert.fail()] = this.counters;
    const [deployer = assert.fail()] = deployers;
    for (let round = 0; round < ROUNDS; round++) {
      const batch = Array.from({ length: PER_ROUND }, (_, i) => {
        const wallet = wallets[random.below(wallets.length)] ?? assert.fail();
        return i % 4 === 0 ? this.#countOn(traffic, wallet) : traffic.mixed(wallet, wallets, 4);
      });
      // The first counter changes in every round.
      const action = callCounter(first, [BigInt(round)], 0n);
      const counted = traffic.next(deployer, {
        lane: 7,
        gasLimit: COUNTER_GAS_LIMIT,
        maxFee: 10_000_000n,
        action,
      });
      await submit(random.shuffle([...batch, counted]));
    }
  }

  /** A call or a batch to one of the counters; some revert. */
  #countOn(traffic: Traffic, wallet: Wallet): SentTransaction {
    const { random } = traffic;
    const counter = this.counters[random.below(this.counters.length)] ?? assert.fail();
    const steps = Array.from({ length: 1 + random.below(3) }, () => BigInt(random.below(10)));
    const action = callCounter(counter, steps, BigInt(random.below(3)));
    return traffic.next(wallet, {
      lane: random.below(4),
      gasLimit: COUNTER_GAS_LIMIT,
      maxFee: 10_000_000n,
      action,
    });
  }
}

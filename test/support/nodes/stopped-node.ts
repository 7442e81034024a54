import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChainAuditor } from '../../outside/chain-auditor.js';
import { RpcClient } from '../../outside/rpc.js';
import { devAllocation, devWallets, drained, nodeStatus, submitAll, Traffic } from '../../outside/traffic.js';
import { transfer } from '../../outside/wallet.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from './node-process.js';

const STOP_LIMIT_MS = 2_000;
/** Number of transactions, of a load's 10,000, accepted before the signal. */
const ACCEPTED_BEFORE = 1_000;
const SENDERS = 5;

/** A node that is stopped by signals under load and started again, with an audit of its chain. */
export class StoppedNode {
  readonly #flags: readonly string[];
  readonly #auditor: ChainAuditor;
  readonly #traffic: Traffic;
  readonly #accepted: string[] = [];
  /** Each load has a lane of its own, because the last transactions of the one before may be lost. */
  #loads = 0;
  node: NodeProcess;
  rpc: RpcClient;

  private constructor(
    flags: readonly string[],
    node: NodeProcess,
    rpc: RpcClient,
    auditor: ChainAuditor,
    traffic: Traffic,
  ) {
    this.#flags = flags;
    this.node = node;
    this.rpc = rpc;
    this.#auditor = auditor;
    this.#traffic = traffic;
  }

  static async start(flags: readonly string[]): Promise<StoppedNode> {
    const all = ['--block-time', '100', ...flags];
    const node = await NodeProcess.start({ dataDir: temporaryDirectory(), flags: all });
    const rpc = new RpcClient(node.url);
    const { chain_id: chainId } = await nodeStatus(rpc);
    const auditor = new ChainAuditor({ allocation: await devAllocation(rpc), proofs: 'some' });
    return new StoppedNode(all, node, rpc, auditor, new Traffic(chainId, 5));
  }

  /** Sends the signal during a load, on slow and fast machines alike; the node has to end cleanly and soon. */
  async endUnderLoad(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
    const { node } = this;
    const before = this.#accepted.length;
    const lane = this.#loads++;
    let loaded = false;
    const loading = Promise.all(
      Array.from({ length: SENDERS }, (_, sender) => this.#load(sender, lane)),
    ).then(() => {
      loaded = true;
    });
    while (!loaded && this.#accepted.length - before < ACCEPTED_BEFORE) await sleep(5);
    assert.ok(!loaded, `the load ended before the signal, with ${this.#accepted.length} accepted`);
    const ended = await node.stop(signal);
    await loading;
    assert.equal(ended.signal, signal, node.log.slice(-2000));
    assert.ok(ended.ms < STOP_LIMIT_MS, `took ${ended.ms} ms`);
    this.rpc.close();
  }

  async startAgain(): Promise<void> {
    this.node = await NodeProcess.start({ dataDir: this.node.dataDir, flags: this.#flags });
    this.rpc = new RpcClient(this.node.url);
  }

  /** Checks that all accepted transactions are on the chain, which fits a replay. */
  async expectAllIncluded(): Promise<void> {
    await drained(this.rpc);
    await this.#auditor.advance(this.rpc);
    for (const hash of this.#accepted)
      assert.ok(this.#auditor.transactions.has(hash), `${hash} was accepted and is lost`);
  }

  async dispose(): Promise<void> {
    this.rpc.close();
    await this.node.kill();
    removeDirectory(this.node.dataDir);
  }

  async #load(sender: number, lane: number): Promise<void> {
    const wallet = devWallets()[sender] ?? assert.fail();
    const own = new RpcClient(this.node.url);
    try {
      for (let i = 0; i < 100; i++) {
        const batch = Array.from({ length: 20 }, () =>
          this.#traffic.next(wallet, { lane, action: transfer(wallet.address, 1n) }),
        );
        const { accepted } = await submitAll(own, batch);
        this.#accepted.push(...accepted.map(({ hash }) => hash));
      }
    } catch (error) {
      // The node shut down as requested.
      assert.ok(error instanceof Error);
    } finally {
      own.close();
    }
  }
}

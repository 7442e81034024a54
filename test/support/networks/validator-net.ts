import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdentity, publicIdentity } from '../../../src/cli/validators/new-identity.js';
import { type Client, connect } from '../../../src/client/client.js';
import { dealerGenesis } from '../../../src/consensus/dealer-genesis.js';
import type { Passphrase } from '../../../src/consensus/files/passphrase.js';
import { validatorPaths } from '../../../src/consensus/files/validator-directory.js';
import { writeDkgOutput } from '../../../src/consensus/files/write-dkg-output.js';
import { loadBls } from '../../../src/crypto/load-bls.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { NewValidator } from '../../../src/generated/ledger.js';
import type { Block, ConsensusMetrics } from '../../../src/generated/node-rpc-v1.js';
import { DEV_CHAIN_ID, DEV_GAS_LIMIT, devAllocation } from '../../../src/ledger/dev-genesis.js';
import { signedCeremony } from '../crypto/signed-ceremony.js';
import { DEADLINE_MS, eventually } from '../eventually.js';
import { freePorts } from '../free-ports.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../nodes/node-process.js';
import { NetworkCut } from './network-cut.js';

export interface ValidatorNetOptions {
  /** Default 4. */
  readonly validators?: number;
  /** Default 10,000. */
  readonly epochLength?: number;
  /** Further flags of every node. */
  readonly flags?: readonly string[];
  /** Routes all connections between validators through proxies that a test can cut. */
  readonly cuttable?: boolean;
  /** Makes the group key by a ceremony, as a chain that admits validators requires. */
  readonly ceremony?: boolean;
}

export interface StartOptions {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[];
}

/** A further validator, prepared for admission. */
export interface PreparedValidator {
  /** Index in this net, not in the set. */
  readonly index: number;
  readonly admission: NewValidator;
}

/** Validators with a dealt key, each a real node in a separate process, in a temporary directory. */
export class ValidatorNet {
  /** Number of validators in the genesis. */
  readonly count: number;
  /** 48 bytes. */
  readonly groupPublicKey: Uint8Array;
  /** Absent if the validators connect directly. */
  readonly cut: NetworkCut | undefined;
  readonly #directory: string;
  readonly #ports: number[];
  readonly #flags: readonly string[];
  readonly #nodes: (NodeProcess | undefined)[];
  readonly #clients = new Map<NodeProcess, Client>();
  readonly #starting = new Set<Promise<void>>();
  #isDisposed = false;

  private constructor(
    directory: string,
    groupPublicKey: Uint8Array,
    ports: readonly number[],
    flags: readonly string[],
    cut: NetworkCut | undefined,
  ) {
    this.count = ports.length;
    this.groupPublicKey = groupPublicKey;
    this.cut = cut;
    this.#directory = directory;
    this.#ports = [...ports];
    this.#flags = flags;
    this.#nodes = ports.map(() => undefined);
  }

  /** Creates keys and genesis without starting anything. */
  static async make(options: ValidatorNetOptions = {}): Promise<ValidatorNet> {
    const { validators = 4, epochLength = 10_000, flags = [], cuttable = false, ceremony = false } = options;
    const directory = temporaryDirectory();
    const [crypto, bls, ports] = [
      await loadCrypto('auto'),
      await loadBls('auto'),
      await freePorts(validators),
    ];
    const members = [];
    for (const index of ports.keys()) {
      members.push(await createIdentity({ crypto, bls }, join(directory, `${index}`), undefined));
    }
    const peers = members.map((member, i) => publicIdentity(member, `127.0.0.1:${ports[i]}`));
    const random = (length: number) => Uint8Array.from(randomBytes(length));
    const parts = { crypto, bls, random };
    const configuration = {
      chain_id: DEV_CHAIN_ID,
      timestamp_ms: BigInt(Date.now()),
      gas_limit: DEV_GAS_LIMIT,
      base_fee: 1n,
      accounts: devAllocation(crypto),
      epoch_length: BigInt(epochLength),
      validators: peers,
    };
    const seeds = members.map(({ identity }) => identity.seed);
    const { genesis, shares } = ceremony
      ? signedCeremony(parts, configuration, seeds)
      : dealerGenesis(parts, configuration);
    for (const [index, { paths }] of members.entries()) {
      const share = shares[index];
      assert.ok(share !== undefined);
      await writeDkgOutput(paths, { genesis, index, share, peers });
    }
    const { group_public_key: groupPublicKey } = genesis.validator_set;
    const cut = cuttable ? await NetworkCut.open(ports) : undefined;
    return new ValidatorNet(directory, groupPublicKey, ports, flags, cut);
  }

  /** Creates the files of one more validator: an identity, and the genesis and peers of the others; it has no share. */
  async prepare(passphrase?: Passphrase): Promise<PreparedValidator> {
    const index = this.#ports.length;
    const [port = 0] = await freePorts(1);
    const parts = { crypto: await loadCrypto('auto'), bls: await loadBls('auto') };
    const created = await createIdentity(parts, this.directory(index), passphrase);
    const { paths } = created;
    const others = validatorPaths(this.directory(0));
    copyFileSync(others.genesis, paths.genesis);
    copyFileSync(others.peers, paths.peers);
    this.#ports.push(port);
    this.#nodes.push(undefined);
    return { index, admission: publicIdentity(created, `127.0.0.1:${port}`) };
  }

  get all(): readonly number[] {
    return [...this.#ports.keys()];
  }

  get running(): readonly number[] {
    return this.all.filter((index) => this.#nodes[index] !== undefined);
  }

  directory(index: number): string {
    return join(this.#directory, `${index}`);
  }

  /** The port on which a validator listens for the others. */
  port(index: number): number {
    return this.#ports[index] ?? assert.fail(`there is no validator ${index}`);
  }

  node(index: number): NodeProcess {
    return this.#nodes[index] ?? assert.fail(`validator ${index} does not run`);
  }

  client(index: number): Client {
    const node = this.node(index);
    const client = this.#clients.get(node) ?? connect(node.url, { timeoutMs: 30_000 });
    this.#clients.set(node, client);
    return client;
  }

  /** Starts those of the given validators (default: all) that do not run; resolves once they answer. */
  async start(indices: readonly number[] = this.all, options: StartOptions = {}): Promise<void> {
    const missing = indices.filter((index) => this.#nodes[index] === undefined);
    const starting = missing.map((index) => this.#start(index, options));
    for (const each of starting) this.#starting.add(each);
    await Promise.all(starting);
  }

  async kill(...indices: readonly number[]): Promise<void> {
    await Promise.all(indices.map((index) => this.#end(index, (node) => node.kill())));
  }

  /** Sends SIGTERM; the validators must exit on their own, with success. */
  async stop(...indices: readonly number[]): Promise<void> {
    await Promise.all(
      indices.map((index) =>
        this.#end(index, async (node) => {
          const { code, signal } = await node.stop();
          assert.equal(
            signal,
            'SIGTERM',
            `validator ${index} ended with ${signal ?? code}:\n${node.log.slice(-2_000)}`,
          );
        }),
      ),
    );
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** Ends all running or starting processes. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await Promise.allSettled(this.#starting);
    await this.kill(...this.running);
    await this.cut?.close();
    removeDirectory(this.#directory);
  }

  async height(index: number): Promise<bigint> {
    return (await this.client(index).status()).finalized_height;
  }

  async consensus(index: number): Promise<ConsensusMetrics> {
    return (await this.client(index).validator_status()).consensus;
  }

  /** Waits until the given validators (default: all running) have this block. */
  async reach(height: bigint, indices: readonly number[] = this.running): Promise<void> {
    for (const index of indices) {
      await eventually(
        `validator ${index} has block ${height}`,
        async () => (await this.height(index)) >= height,
      );
    }
  }

  /** Waits until the given validators have `by` more blocks than the highest of them has now. */
  async grow(by: bigint, indices: readonly number[] = this.running): Promise<void> {
    const heights = await Promise.all(indices.map((index) => this.height(index)));
    await this.reach(highest(heights) + by, indices);
  }

  /** Checks that the given validators finalize no more blocks than those in flight. */
  async standsStill(indices: readonly number[] = this.running): Promise<void> {
    await sleep(1_000);
    const before = await Promise.all(indices.map((index) => this.height(index)));
    await sleep(2_500);
    const after = await Promise.all(indices.map((index) => this.height(index)));
    // A validator may still fetch blocks that another one has.
    const most = highest(before);
    for (const height of after) assert.ok(height <= most, `block ${height} is final without a quorum`);
  }

  async connected(index: number): Promise<number> {
    const { peers } = await this.client(index).validator_status();
    return peers.filter(({ connected }) => connected).length;
  }

  /** Waits until all running validators are connected with each other. */
  async allConnected(): Promise<void> {
    const { running } = this;
    await eventually('all are connected', async () => {
      const counts = await Promise.all(running.map((index) => this.connected(index)));
      return counts.every((count) => count >= running.length - 1);
    });
  }

  /** All blocks from a height up to another, or to the validator's last final one. */
  async blocks(index: number, to?: bigint, from = 1n): Promise<readonly Block[]> {
    const client = this.client(index);
    const last = to ?? (await this.height(index));
    const found: Block[] = [];
    for (let next = from; next <= last; ) {
      const { blocks, next_height } = await client.get_blocks({ from_height: next, to_height: last });
      found.push(...blocks);
      next = next_height ?? last + 1n;
    }
    return found;
  }

  /**
   * Checks that all running validators have the same blocks, and that none has seen a double vote.
   * @param from a height that every validator has, if one began with a snapshot
   * @returns those blocks
   */
  async agree(from = 1n): Promise<readonly Block[]> {
    const heights = await Promise.all(this.running.map((index) => this.height(index)));
    const last = highest(heights);
    await this.reach(last);
    const [first = 0, ...others] = this.running;
    const blocks = await this.blocks(first, last, from);
    assert.deepEqual(
      blocks.map(({ header }) => header.height),
      Array.from({ length: Number(last - from) + 1 }, (_, i) => from + BigInt(i)),
    );
    for (const other of others) {
      const theirs = await this.blocks(other, last, from);
      assert.deepEqual(theirs, blocks, `validators ${first} and ${other} differ`);
    }
    for (const index of this.running) {
      const { equivocations_seen } = await this.consensus(index);
      assert.equal(equivocations_seen, 0n, `validator ${index} saw somebody vote twice`);
    }
    return blocks;
  }

  /** Ends all running validators, starts them again, and checks that each still has the blocks that were final to it. */
  async endsAndKeepsBlocks(end: 'stop' | 'kill', options: StartOptions = {}): Promise<void> {
    const { running } = this;
    const told = await Promise.all(running.map((index) => this.blocks(index)));
    await sleep(Math.random() * 300);
    await this[end](...running);
    await this.start(running, options);
    for (const [place, index] of running.entries()) {
      const blocks = told[place] ?? [];
      const now = await this.blocks(index, BigInt(blocks.length));
      assert.deepEqual(now, blocks, `what was final at validator ${index} before the ${end} is there`);
    }
  }

  async #start(index: number, { flags = [], env = {}, nodeFlags = [] }: StartOptions): Promise<void> {
    const directory = this.directory(index);
    const peers = this.cut?.peersOf(index);
    this.#nodes[index] = await NodeProcess.start({
      dataDir: validatorPaths(directory).data,
      flags: [
        ...['--validator', directory, '--workers', '1', '--block-workers', '1'],
        ...(peers === undefined ? [] : ['--peers', peers.join(',')]),
        ...this.#flags,
        ...flags,
      ],
      env,
      nodeFlags,
      readyMs: DEADLINE_MS,
    });
  }

  async #end(index: number, end: (node: NodeProcess) => Promise<unknown>): Promise<void> {
    const node = this.node(index);
    this.#nodes[index] = undefined;
    this.#clients.delete(node);
    await end(node);
  }
}

function highest(heights: readonly bigint[]): bigint {
  let found = 0n;
  for (const height of heights) if (height > found) found = height;
  return found;
}

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Client, connect, devAccount } from '../../../src/client/client.js';
import { eventually } from '../eventually.js';

const MAIN = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
/** A validator's line in the output of `heddle localnet`. */
export interface ValidatorLine {
  readonly validator: number;
  readonly pid: number;
  readonly rpc: string;
  readonly data_dir: string;
  readonly ended?: true;
}

/** Pids of started validators, killed when the test process exits. */
const started = new Set<number>();
process.on('exit', () => {
  for (const pid of started) endProcess(pid);
});

/** `heddle localnet` in a separate process. */
export class LocalnetProcess {
  readonly validators: ValidatorLine[] = [];
  readonly ended: Promise<number | null>;
  groupPublicKey: string | undefined;
  readonly #child: ChildProcess;
  #text = '';
  #errors = '';

  constructor(directory: string, flags: readonly string[]) {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !(name.startsWith('HEDDLE_') || name.startsWith('NODE_TEST')),
    );
    this.#child = spawn(process.execPath, [MAIN, 'localnet', '--data-dir', directory, ...flags], {
      env: { ...Object.fromEntries(inherited), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#hear(chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors += chunk.toString();
    });
    this.ended = new Promise((resolve) => this.#child.on('close', resolve));
  }

  /** Resolves once all validators have finalized a block. */
  async ready(): Promise<void> {
    let code: number | null | undefined;
    void this.ended.then((each) => {
      code = each;
    });
    await eventually('the localnet is ready', async () => {
      assert.equal(code, undefined, `it ended with ${code}:\n${this.#errors}`);
      return this.groupPublicKey !== undefined;
    });
  }

  client(validator: number): Client {
    return connect(this.#line(validator).rpc, { timeoutMs: 20_000 });
  }

  /** kill -9 of one validator. */
  kill(validator: number): void {
    process.kill(this.#line(validator).pid, 'SIGKILL');
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  #line(validator: number): ValidatorLine {
    return (
      this.validators.findLast((line) => line.validator === validator) ?? assert.fail('no such validator')
    );
  }

  #hear(text: string): void {
    this.#text += text;
    for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n')) {
      const line = JSON.parse(this.#text.slice(0, end)) as ValidatorLine & {
        readonly ready?: true;
        readonly group_public_key?: string;
      };
      this.#text = this.#text.slice(end + 1);
      if (line.ready === true) this.groupPublicKey = line.group_public_key;
      else {
        if (line.ended === undefined) started.add(line.pid);
        this.validators.push(line);
      }
    }
  }
}

/** True if a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, as expected.
  }
}

/** A port for the first validator of a localnet, whose others follow: one range for each test process. */
export function localnetPort(): number {
  return 12_400 + (process.pid % 200) * 10;
}

export async function heightOf(client: Client): Promise<bigint> {
  return (await client.status()).finalized_height;
}

export async function reaches(client: Client, height: bigint): Promise<void> {
  await eventually(`block ${height} is final`, async () => (await heightOf(client)) >= height);
}

/** Sends transfers, each through a validator once it has caught up with the transfer before. */
export class LocalnetSender {
  #height = 0n;
  #sent = 0n;

  /** The sum of all transfers. */
  get sent(): bigint {
    return this.#sent;
  }

  async send(net: LocalnetProcess, through: number, amount: bigint): Promise<void> {
    const client = net.client(through);
    await reaches(client, this.#height);
    const to = devAccount(1).address;
    const { receipt } = await client.sender(devAccount(0)).transfer({ to, amount, wait: 'finalized' });
    assert.equal(receipt.status.type, 'success');
    this.#height = receipt.height;
    this.#sent += amount;
  }
}

/** Checks that four validators have the same blocks, up to the last one of the first. */
export async function haveSameBlocks(net: LocalnetProcess): Promise<void> {
  const height = await heightOf(net.client(0));
  const blocks = [];
  for (const validator of [0, 1, 2, 3]) {
    await reaches(net.client(validator), height);
    const { blocks: all } = await net.client(validator).get_blocks({ from_height: 0n, to_height: height });
    blocks.push(all.map(({ hash }) => Buffer.from(hash).toString('hex')));
  }
  for (const other of blocks) assert.deepEqual(other, blocks[0]);
}

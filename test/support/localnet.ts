import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Client, connect } from '../../src/client/client.js';
import { eventually } from './eventually.js';

const MAIN = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));
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

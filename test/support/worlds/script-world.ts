import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { RecordedTransaction } from '../../../src/cli/dev/script/deployment-folder.js';
import { DeploymentFolder, type OpenRun } from '../../../src/cli/dev/script/deployment-folder.js';
import {
  EarlierTransactions,
  earlierTransactions,
} from '../../../src/cli/dev/script/earlier-transactions.js';
import { RunJournal } from '../../../src/cli/dev/script/run-journal.js';
import { runPass } from '../../../src/cli/dev/script/run-pass.js';
import type { ScriptFile } from '../../../src/cli/dev/script/script-file.js';
import type { PerformedStep, ScriptPass } from '../../../src/cli/dev/script/script-pass.js';
import type { Step } from '../../../src/cli/dev/script/step.js';
import { connect, devAccount, type Signer } from '../../../src/client/client.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import { FakeNode } from '../nodes/fake-node.js';
import { removeDirectory, temporaryDirectory } from '../temporary-directory.js';
import { FAKE_CHAIN_ID, FakeChain } from './fake-chain.js';

const GENESIS = 'ab'.repeat(32);
const RETRY = { retries: 0 };

export interface BroadcastOptions {
  /** Continues this run. */
  readonly resumed?: OpenRun;
  readonly plan?: readonly Step[];
}

/** Scripts, their records, and a chain that a test can interfere with. */
export class ScriptWorld {
  readonly directory = temporaryDirectory();
  readonly chain: FakeChain;
  readonly node: FakeNode;
  readonly folder = new DeploymentFolder(join(this.directory, 'deployments'), {
    id: FAKE_CHAIN_ID,
    genesisHash: GENESIS,
  });
  readonly signers: readonly [Signer, ...Signer[]] = [devAccount(0), devAccount(1)];
  /** Lines that scripts have logged. */
  readonly printed: string[] = [];
  readonly warned: string[] = [];
  #scripts = 0;

  private constructor(chain: FakeChain, node: FakeNode) {
    this.chain = chain;
    this.node = node;
  }

  static async for(t: TestContext): Promise<ScriptWorld> {
    const chain = new FakeChain(await loadCrypto('off'));
    const world = new ScriptWorld(chain, await FakeNode.start(chain.handlers()));
    t.after(async () => {
      await world.node.stop();
      removeDirectory(world.directory);
    });
    return world;
  }

  /** Writes a script with a body of `run` that has the context as `heddle`, of type `parameter`. */
  script(body: string, extension = 'mjs', parameter = ''): ScriptFile {
    // A module is loaded once in a process.
    const shown = `scripts/script${this.#scripts++}.${extension}`;
    const path = join(this.directory, shown);
    mkdirSync(join(this.directory, 'scripts'), { recursive: true });
    writeFileSync(path, `export async function run(heddle${parameter}) {\n${body}\n}\n`);
    return { path, shown };
  }

  /** Broadcasts a script. @returns what was included */
  async broadcast(script: ScriptFile, options: BroadcastOptions = {}): Promise<readonly PerformedStep[]> {
    return (await this.pass(script, options)).performed;
  }

  /** Broadcasts a script. A failure leaves its record as it is. */
  async pass(script: ScriptFile, { resumed, plan }: BroadcastOptions = {}): Promise<ScriptPass> {
    const client = connect(this.node.url, { retry: RETRY });
    const journal = new RunJournal(this.folder, resumed ?? this.folder.begin(script.shown, Date.now()));
    const earlier =
      resumed === undefined ? [] : await earlierTransactions(client, resumed.record.transactions);
    if (resumed !== undefined) journal.resume(earlier);
    const pass = await runPass(
      {
        script,
        signers: this.signers,
        folder: this.folder,
        args: ['one'],
        defaults: {},
        chain: { id: FAKE_CHAIN_ID, genesisHash: GENESIS, endpoint: client.endpoint },
        signal: new AbortController().signal,
        print: (line) => void this.printed.push(line),
        warn: (text) => void this.warned.push(text),
      },
      {
        kind: 'broadcast',
        url: this.node.url,
        access: { retry: RETRY },
        chainId: FAKE_CHAIN_ID,
        journal,
        earlier: new EarlierTransactions(earlier),
        onPerformed: () => undefined,
        ...(plan !== undefined && { plan }),
      },
    );
    journal.end('complete');
    return pass;
  }

  /** The newest run of a script. */
  run(script: ScriptFile): OpenRun {
    const found = this.folder.newest(script.shown);
    if (found === undefined) throw new Error(`no run of ${script.shown} is recorded`);
    return found;
  }

  recorded(script: ScriptFile): readonly RecordedTransaction[] {
    return this.run(script).record.transactions;
  }
}

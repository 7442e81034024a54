// The packages heddle-client and heddle-contracts, unpacked beside nothing but their declared dependencies.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../package-root.js';
import { removeDirectory, temporaryDirectory } from '../temporary-directory.js';

export const ROOT = packageRoot(import.meta.url);

export interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A program for heddle-client, and what it prints. */
export const CLIENT_PROGRAM = {
  text: [
    "import { connect, devAccount, formatAddress } from 'heddle-client';",
    "import * as verify from 'heddle-client/verify';",
    "const client = connect('http://127.0.0.1:1');",
    'console.log(typeof client.status, formatAddress(devAccount(0).address), Object.keys(verify).length > 3);',
  ].join('\n'),
  output: 'function 0x8628ebcb49f661e121feae211f22d5bc9d704dc1 true\n',
};

/** @returns the standard output of a command that must succeed */
export function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** An application beside the packed packages. */
export class PackedPackages {
  readonly #scratch = temporaryDirectory();
  readonly app: string = join(this.#scratch, 'app');

  constructor() {
    mkdirSync(join(this.app, 'node_modules'), { recursive: true });
    writeFileSync(join(this.app, 'package.json'), '{ "type": "module" }');
    const script = join(ROOT, 'scripts', 'packages.mjs');
    run(this.app, process.execPath, script, `--out=${this.#scratch}`);
  }

  /** Unpacks a package into the application, and links its declared dependencies. */
  install(name: string): Manifest {
    const folder = join(this.app, 'node_modules', name);
    mkdirSync(folder);
    const archive = join(this.#scratch, `${name}-${manifestOf(ROOT).version}.tgz`);
    run(folder, 'tar', '-xzf', archive, '--strip-components=1');
    const manifest = manifestOf(folder);
    for (const library of Object.keys(manifest.dependencies)) link(library, folder);
    return manifest;
  }

  /** Installs the client, and asserts its dependencies and what a program prints with it. */
  tryClient(): void {
    const { dependencies } = this.install('heddle-client');
    assert.deepEqual(Object.keys(dependencies), [
      '@noble/ciphers',
      '@noble/curves',
      '@noble/hashes',
      '@scure/bip32',
      '@scure/bip39',
      'p-limit',
    ]);
    for (const [library, range] of Object.entries(dependencies)) {
      assert.equal(range, manifestOf(ROOT).dependencies[library], library);
    }
    writeFileSync(join(this.app, 'main.js'), CLIENT_PROGRAM.text);
    assert.equal(run(this.app, process.execPath, 'main.js'), CLIENT_PROGRAM.output);
  }

  remove(): void {
    removeDirectory(this.#scratch);
  }
}

/** Links a library of the repository into a folder. */
export function link(library: string, folder: string): void {
  const place = join(folder, 'node_modules', library);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', library), place);
}

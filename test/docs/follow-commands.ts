// Runs the commands of a page as a reader would, and compares their output.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Page, root, type Step } from './pages.js';

const TIMEOUT_MS = 120_000;
const compiled = fileURLToPath(new URL('../..', import.meta.url));

/** Text that differs from run to run, and the placeholder for it on both sides of a comparison. */
const VARYING: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/\[\d\d:\d\d:\d\d\.\d{3}\]/g, '[time]'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'URL'],
  [/("(?:height|view|\w+_ms)":)\d+/g, '$1N'],
  [/("hash":)"[0-9a-f]{64}"/g, '$1HASH'],
  [/^(tip +)[0-9a-f]{64}$/gm, '$1HASH'],
  [/^(block +|height +|finalized +|verified )\d+/gm, '$1N'],
  [/^((?:to|address) +)0x[0-9a-f]{40}$/gm, '$1ADDRESS'],
  [/up [\d.]+ m?s$/gm, 'up TIME'],
  [/sealed [\d.]+ s ago/g, 'sealed TIME ago'],
  [/in block(s up to)? \d+/g, 'in block N'],
  // The size of a contract's module, and so its cost, depend on the compiler and the SDK.
  [/\b\d[\d,]* bytes/g, 'N bytes'],
  [/^((?:gas used|fee) +)(?!30,000$)\d+,[\d,]+$/gm, '$1N'],
  // The reporter depends on whether the output is a terminal.
  [/^[#ℹ] (?=(?:pass|fail) )/gm, ''],
];

function stable(text: string): string {
  return VARYING.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text).trim();
}

/** Checks that the output matches the page; `…` matches anything. */
export function assertPrints(actual: string, { command, output }: Step, { path }: Page): void {
  const pattern = stable(output)
    .replace(/\n…$/, '…')
    .split(/…\n?/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?');
  if (new RegExp(`^${pattern}$`).test(stable(actual))) return;
  assert.equal(stable(actual), stable(output), `${path}: what this prints has changed: ${command}`);
}

/** A tool that the commands need and this machine lacks, or undefined. */
export const missingTool: string | undefined = ['bash', 'curl', 'jq'].find(
  (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0,
);

/** The package's exports for the examples, by module. */
const EXPORTED = {
  client: 'src/client/client.js',
  contracts: 'src/contract-sdk/contracts.js',
  verify: 'src/proofs/verify.js',
};

/**
 * Prepares a directory that stands in for the checkout: it has the files that the page's commands name, and the
 * package under its name.
 */
export function prepareCheckout(page: Page, directory: string): void {
  for (const path of new Set(page.text.match(/\b(?:examples|contracts)\/[\w/-]+\.\w+/g))) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    copyFileSync(join(root, path), join(directory, path));
  }
  // Node would resolve the package name to the last build, but the test is about the build that it runs from.
  const at = join(directory, 'node_modules', 'heddle');
  mkdirSync(at, { recursive: true });
  const exports: Record<string, string> = {};
  for (const [name, path] of Object.entries(EXPORTED)) {
    const url = pathToFileURL(join(compiled, path)).href;
    writeFileSync(join(at, `${name}.js`), `export * from ${JSON.stringify(url)};\n`);
    exports[`./${name}`] = `./${name}.js`;
  }
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name: 'heddle', type: 'module', exports }));
  // Examples on Node 20 take their WebSocket from this package.
  symlinkSync(join(root, 'node_modules', 'ws'), join(directory, 'node_modules', 'ws'), 'dir');
}

/** Runs commands in one shell. Returns the output of each, stdout and stderr combined. */
function runInShell(commands: readonly string[], directory: string, url: string): Promise<string[]> {
  const between = `--- ${Math.random()} ---`;
  const script = [
    `npx() { shift; ${[process.execPath, join(compiled, 'src', 'main.js')].map((part) => `'${part}'`).join(' ')} "$@"; }`,
    // The packages are in the directory already, so `npm install` does nothing.
    `npm() { [ "$1" = install ] || command npm "$@"; }`,
    `exec 2>&1`,
    ...commands.map((command) => `${command}\necho; echo '${between}'`),
  ].join('\n');
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HEDDLE_|NODE_TEST)/.test(name));
  const shell = spawn('bash', ['-c', script.replaceAll('http://127.0.0.1:9545', url)], {
    cwd: directory,
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', HEDDLE_URL: url, HEDDLE_PORT: new URL(url).port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => shell.kill('SIGKILL'), TIMEOUT_MS);
  let printed = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  return new Promise((resolve, reject) => {
    shell.on('error', reject);
    shell.on('close', () => {
      clearTimeout(timer);
      resolve(printed.split(`${between}\n`).slice(0, -1));
    });
  });
}

/** Runs the steps in order and compares their output with the page. */
export async function followCommands(
  page: Page,
  given: readonly Step[],
  place: { readonly directory: string; readonly url: string },
): Promise<void> {
  const commands = given.map(({ command }) => command);
  const outputs = await runInShell(commands, place.directory, place.url);
  assert.equal(outputs.length, given.length, outputs.at(-1));
  for (const [i, step] of given.entries()) assertPrints(outputs[i] ?? '', step, page);
}

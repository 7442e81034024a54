// Runs the commands of a page as a reader would, and compares their output.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { hasCode } from '../../src/base/errors.js';
import { freePorts } from '../support/free-ports.js';
import { type Page, type Program, root, type Step } from './pages.js';

const TIMEOUT_MS = 240_000;
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
  // The columns are as wide as the node's URL and the numbers; the calls of a busy node make more and shorter jobs.
  [/^(worker +node) +jobs +calls +/gm, '$1 jobs calls '],
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
  const expected = stable(output);
  // Of a display that is redrawn the page shows the last frame only.
  const shown = expected.startsWith('…') ? stable(actual).slice(-2 * expected.length) : stable(actual);
  assert.equal(shown, expected, `${path}: what this prints has changed: ${command}`);
}

/** Whether the page starts a Redis server, on the usual port. */
function startsRedis({ text }: Page): boolean {
  return /^\$ (?:.* )?redis-server /m.test(text);
}

/** The port of a second node that a page starts. */
const SECOND_PORT = /\b9555\b/g;

/** The port of the first of four validators on a page; the others have the next three. */
const VALIDATOR_PORTS = /\b19700\b/g;

/** A tool that the page's commands need and this machine lacks, or undefined. */
export function missingTool(page: Page): string | undefined {
  const tools = ['bash', 'curl', 'jq', ...(startsRedis(page) ? ['redis-server', 'redis-cli'] : [])];
  return tools.find((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
}

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
  // A program, because a shell function in the background would not pass signals on.
  const command = [process.execPath, join(compiled, 'bundle', 'main.js')]
    .map((part) => `'${part}'`)
    .join(' ');
  mkdirSync(programs(directory));
  // npm would link `heddle` into each project.
  for (const [name, script] of [
    ['npx', `shift\nexec ${command} "$@"`],
    ['heddle', `exec ${command} "$@"`],
  ] as const) {
    writeFileSync(join(programs(directory), name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  // Examples on Node 20 take their WebSocket from ws; the tests of a new contract use fast-check.
  for (const name of ['ws', 'fast-check']) {
    symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name), 'dir');
  }
}

/** The directory with the programs that replace those of the same name. */
function programs(directory: string): string {
  return join(directory, 'node_modules', '.bin');
}

/** Runs commands in one shell and ends the processes that they leave. Returns the output of each, with its errors. */
async function runInShell(
  commands: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const between = `--- ${Math.random()} ---`;
  const script = [
    // The packages are in the directory already, so `npm install` does nothing.
    `npm() { [ "$1" = install ] || command npm "$@"; }`,
    `exec 2>&1`,
    ...commands.map((command) => `${command}\necho; echo '${between}'`),
  ].join('\n');
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HEDDLE_|NODE_TEST)/.test(name));
  const shell = spawn('bash', ['-c', script], {
    cwd: directory,
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${programs(directory)}:${process.env['PATH']}`,
      NO_COLOR: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, so that processes in the background can be ended.
    detached: true,
  });
  let printed = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const end = (): void => endGroup(shell.pid);
  const timer = setTimeout(end, TIMEOUT_MS);
  process.once('exit', end);
  shell.once('exit', end);
  await once(shell, 'close');
  clearTimeout(timer);
  process.off('exit', end);
  return printed.split(`${between}\n`).slice(0, -1);
}

function endGroup(group: number | undefined): void {
  if (group === undefined) return;
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/** Adapts commands to the page's node, and to a free port for a second one. */
async function besides(url: string): Promise<(text: string) => string> {
  const [secondPort] = await freePorts(1);
  const validators = await firstOfFreePorts(4);
  return (text) =>
    text
      .replaceAll('http://127.0.0.1:9545', url)
      .replace(SECOND_PORT, String(secondPort))
      .replace(VALIDATOR_PORTS, String(validators));
}

/** The first of some consecutive free ports. */
async function firstOfFreePorts(count: number): Promise<number> {
  for (;;) {
    const ports = await freePorts(count);
    const [first = 0] = ports;
    if (ports.every((port, at) => port === first + at)) return first;
  }
}

/** Runs the steps in order and compares their output with the page. */
export async function followCommands(
  page: Page,
  given: readonly Step[],
  { directory, url }: { readonly directory: string; readonly url: string },
): Promise<void> {
  const [redisPort] = startsRedis(page) ? await freePorts(1) : [];
  const besideNode = await besides(url);
  const commands = given.map(({ command }) => {
    const adapted = besideNode(command);
    return redisPort === undefined ? adapted : adapted.replace(/\b6379\b/g, String(redisPort));
  });
  const environment = {
    HEDDLE_URL: url,
    HEDDLE_PORT: new URL(url).port,
    ...(redisPort !== undefined && { HEDDLE_REDIS: `redis://127.0.0.1:${redisPort}` }),
  };
  let outputs: string[];
  try {
    outputs = await runInShell(commands, directory, environment);
  } finally {
    // The server has left the shell's process group; if the page has stopped it, nothing answers.
    if (redisPort !== undefined) spawnSync('redis-cli', ['-p', String(redisPort), 'shutdown', 'nosave']);
  }
  assert.equal(outputs.length, given.length, outputs.at(-1));
  for (const [i, step] of given.entries()) assertPrints(outputs[i] ?? '', step, page);
}

/** Runs a page's program beside its node, and compares the lines that it prints. */
export async function runProgram(
  { path }: Page,
  { code, output }: Program,
  { directory, url }: { readonly directory: string; readonly url: string },
): Promise<void> {
  const file = 'program-of-the-page.mjs';
  const adapt = await besides(url);
  writeFileSync(join(directory, file), adapt(code));
  const [printed = ''] = await runInShell([`'${process.execPath}' ${file}`], directory, {});
  assert.equal(printed.trim(), output.join('\n'), `${path}: what its program prints has changed`);
}

// The README's commands, run one after the other against a real node, and what it says they print.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/config/package-info.js';
import { nodeRpcV1Manifest } from '../../src/generated/node-rpc-v1.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/node-process.js';

const root = packageRoot();
const compiled = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The console blocks under a mark (an HTML comment on the line before), or those without one. */
function steps(mark?: string): Step[] {
  const found: Step[] = [];
  for (const [, given, block = ''] of readme.matchAll(
    /(?:^<!-- ([a-z ]+) -->\n)?^```console\n([\s\S]*?)^```$/gm,
  )) {
    if (given !== mark) continue;
    for (const part of block.split(/^\$ /m).slice(1)) {
      const end = part.indexOf('\n');
      found.push({ command: part.slice(0, end), output: part.slice(end + 1) });
    }
  }
  return found;
}

/** What differs from run to run, and the place holder that stands for it on both sides of a comparison. */
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
  // The size of a contract's module, and so what it costs, are those of the compiler and the SDK.
  [/\b\d[\d,]* bytes/g, 'N bytes'],
  [/^((?:gas used|fee) +)(?!15,000$)\d+,[\d,]+$/gm, '$1N'],
  // By the reporter, which goes by whether there is a terminal.
  [/^[#ℹ] (?=(?:pass|fail) )/gm, ''],
];

function stable(text: string): string {
  return VARYING.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text).trim();
}

/** Whether the output is what the README says; `…` there stands for anything. */
function assertPrints(actual: string, expected: string, command: string): void {
  const pattern = stable(expected)
    .split(/…\n?/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?');
  if (new RegExp(`^${pattern}$`).test(stable(actual))) return;
  assert.equal(stable(actual), stable(expected), `README.md: what this prints has changed: ${command}`);
}

const missingTool = ['bash', 'curl', 'jq'].find(
  (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0,
);

/** A directory that stands for the checkout: a node's data directory, the examples, and the package under its name. */
function prepareCheckout(directory: string): void {
  mkdirSync(join(directory, 'examples'));
  for (const path of new Set(readme.match(/examples\/\w+\.mjs/g))) {
    copyFileSync(join(root, path), join(directory, path));
  }
  // The package's own name leads to the last build; this test is about the build that it belongs to.
  const at = join(directory, 'node_modules', 'heddle');
  mkdirSync(at, { recursive: true });
  const modules = { client: 'src/client/client.js', contracts: 'src/contract-sdk/contracts.js' };
  for (const [name, path] of Object.entries(modules)) {
    const url = pathToFileURL(join(compiled, path)).href;
    writeFileSync(join(at, `${name}.js`), `export * from ${JSON.stringify(url)};\n`);
  }
  const exports = { './client': './client.js', './contracts': './contracts.js' };
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name: 'heddle', type: 'module', exports }));
}

/** Runs commands in one shell; gives what each printed, both streams together. */
function runInShell(commands: readonly string[], directory: string, url: string): Promise<string[]> {
  const between = `--- ${Math.random()} ---`;
  const script = [
    `npx() { shift; ${[process.execPath, join(compiled, 'src', 'main.js')].map((part) => `'${part}'`).join(' ')} "$@"; }`,
    // What it would install lies in the directory already.
    `npm() { [ "$1" = install ] || command npm "$@"; }`,
    `exec 2>&1`,
    ...commands.map((command) => `${command}\necho; echo '${between}'`),
  ].join('\n');
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HEDDLE_|NODE_TEST)/.test(name));
  const shell = spawn('bash', ['-c', script.replaceAll('http://127.0.0.1:9545', url)], {
    cwd: directory,
    env: { ...Object.fromEntries(inherited), NO_COLOR: '1', HEDDLE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => shell.kill('SIGKILL'), 120_000);
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

async function follow(given: readonly Step[], directory: string, url: string): Promise<void> {
  assert.ok(given.length > 0, 'README.md has no such commands');
  const outputs = await runInShell(
    given.map(({ command }) => command),
    directory,
    url,
  );
  assert.equal(outputs.length, given.length, outputs.at(-1));
  for (const [i, { command, output }] of given.entries()) assertPrints(outputs[i] ?? '', output, command);
}

describe('the quick start', { skip: missingTool !== undefined && `there is no ${missingTool} here` }, () => {
  const directory = temporaryDirectory();
  let node: NodeProcess;
  before(async () => {
    prepareCheckout(directory);
    const flags = ['--log-format', 'pretty'];
    node = await NodeProcess.start({ dataDir: join(directory, 'heddle-data'), flags });
  });
  after(async () => {
    await node.dispose();
    removeDirectory(directory);
  });

  test('has commands that print what it says', () => follow(steps(), directory, node.url));

  test('starts a node that says what the README shows', () => {
    const [start] = steps('start');
    assert.ok(start !== undefined);
    const native = (text: string): string => text.replace(/: (?:native|pure), .*$/gm, ': (part)');
    assertPrints(native(node.log), native(start.output), start.command);
  });

  test('ends with a chain that is good', async () => {
    await node.stop();
    await follow(steps('stopped'), directory, node.url);
  });
});

/** The names in backquotes in the table under a mark. */
function methodsUnder(mark: string): string[] {
  const table = readme.split(`<!-- ${mark} -->`)[1]?.split('\n\n')[0] ?? '';
  return [...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

describe('the README', () => {
  test('lists the methods that the interface declares, and them alone', () => {
    const declared = nodeRpcV1Manifest.interfaces.flatMap(({ methods }) => methods.map(({ name }) => name));
    assert.deepEqual(
      methodsUnder('served').sort(),
      declared.sort(),
      'README.md: the table of methods that are served',
    );
    const both = methodsUnder('not served').filter((name) => declared.includes(name));
    assert.deepEqual(both, [], 'README.md: the table of methods to come names some that are served');
    assert.equal(declared.length + methodsUnder('not served').length, 46, 'the interface has 46 methods');
  });

  test('shows sources as they are', () => {
    const shown = [...readme.matchAll(/^<!-- from (\S+) -->\n```\w*\n([\s\S]*?)^```$/gm)];
    assert.ok(shown.length > 0);
    for (const [, path = '', text = ''] of shown) {
      assert.ok(readFileSync(join(root, path), 'utf8').includes(text), `README.md shows another ${path}`);
    }
  });

  test('links to files that exist and names npm scripts that exist', () => {
    for (const [, target = ''] of readme.matchAll(/\]\((?!https:)([^)#]+)\)/g)) {
      assert.ok(existsSync(join(root, target)), `README.md links to ${target}`);
    }
    for (const [path] of readme.matchAll(/test\/[\w/-]+\.test\.ts/g)) {
      assert.ok(existsSync(join(root, path)), `README.md names ${path}`);
    }
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const benches = readFileSync(join(root, 'bench', 'README.md'), 'utf8');
    for (const [, name = ''] of (readme + benches).matchAll(/`npm run ([\w:]+)/g)) {
      if (name !== 'bench:') assert.ok(name in scripts, `npm run ${name} is named but not in package.json`);
    }
    for (const [name, command] of Object.entries(scripts).filter(([key]) => key.startsWith('bench:'))) {
      assert.match(benches, new RegExp(`\`npm run ${name}\\b`), `bench/README.md leaves out ${name}`);
      const file = /dist\/(bench\/[\w/.-]+)\.js/.exec(command)?.[1];
      assert.ok(
        file !== undefined && existsSync(join(root, `${file}.ts`)),
        `${name} runs a file that is not there`,
      );
    }
  });

  test("imports the client by a name that leads to the client's module", () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly exports: { readonly './client': { readonly default: string } };
    };
    assert.equal(
      exports['./client'].default,
      `./dist/${relative(compiled, join(compiled, 'src/client/client.js'))}`,
    );
  });
});

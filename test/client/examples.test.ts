// Runs every @example of the client against a node.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as heddle from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import type { RunningNode } from '../../src/node.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { contractCode } from '../support/worlds/contract-world.js';

const folder = join(packageRoot(), 'src', 'client');
const IDL = readFileSync(join(packageRoot(), 'contracts', 'token', 'token.idl'), 'utf8');
const names = Object.keys(heddle);

interface Example {
  readonly file: string;
  /** The first line of the declaration under the comment. */
  readonly of: string;
  readonly code: string;
}

const examples: readonly Example[] = readdirSync(folder).flatMap((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  return [...text.matchAll(/@example\n((?: *\*(?: .*)?\n)+?) *\*\/\n *(.*)/g)].map(
    ([, block = '', of = '']) => ({
      file,
      of,
      code: block.replace(/^ *\* ?/gm, ''),
    }),
  );
});

/**
 * Turns an example into a module with one function: imports become arguments, and `value; // result` an assertion.
 */
function moduleOf({ code }: Example, url: string): string {
  const body = code
    .replace(/^import .*\n\n?/gm, '')
    .replaceAll('http://127.0.0.1:9545', url)
    .replace(/^(.+); \/\/ ('.*'|\d+n?)$/gm, 'assert.equal($1, $2);');
  const declared = new Set([...body.matchAll(/^const (\w+) =/gm)].map(([, name = '']) => name));
  const given = [...names, ...WORLD].filter((name) => !declared.has(name));
  return `export async function run(assert, { ${given.join(', ')} }) {\n${body}}\n`;
}

const WORLD = ['client', 'alice', 'bob', 'token', 'address', 'code', 'idl', 'console', 'adminToken'] as const;

test('every function of the client has an example', () => {
  const functions = Object.entries(heddle).filter(
    ([, value]) => typeof value === 'function' && !/^class\b/.test(String(value)),
  );
  for (const [name] of functions) {
    assert.ok(
      examples.some(({ of }) => of.includes(`function ${name}(`) || of.includes(`function ${name}<`)),
      `${name} has none`,
    );
  }
});

describe('the examples of the client', () => {
  const parts = new NodeParts();
  let node: RunningNode;
  let world: Record<(typeof WORLD)[number], unknown>;
  before(async () => {
    node = await parts.node({ flags: { 'block-time': '50', 'idle-block-time': '100' } });
    const client = heddle.connect(node.url);
    const alice = client.sender(heddle.devAccount(0));
    const owner = alice.signer.address;
    const code = Uint8Array.from(contractCode('token'));
    const { contract: token } = await alice.deploy({
      code,
      idl: IDL,
      init: { name: 'Thread', symbol: 'THR', decimals: 2, supply: 1_000_000n, owner, minter: owner },
      policy: { type: 'admin', value: owner },
    });
    const console = { log: () => undefined };
    const { address } = token;
    const adminToken = readFileSync(join(parts.directory, 'data', 'admin.token'), 'utf8').trim();
    world = { client, alice, bob: heddle.devAccount(1), token, address, code, idl: IDL, console, adminToken };
  });
  after(() => parts.close());

  for (const [place, example] of examples.entries()) {
    const declared = /\w+(?=[<(])/.exec(example.of)?.[0] ?? example.of;
    test(`${declared} in ${example.file} runs`, async () => {
      const path = join(parts.directory, `example-${place}.mjs`);
      writeFileSync(path, moduleOf(example, node.url));
      const { run } = (await import(pathToFileURL(path).href)) as {
        readonly run: (check: typeof assert, given: object) => Promise<void>;
      };
      const typed = example.file === 'typed-contract.ts';
      const token = typed ? new heddle.TypedContract(world.token as heddle.Contract) : world.token;
      await run(assert, { ...heddle, ...world, token });
    });
  }
});

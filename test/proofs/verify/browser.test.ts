import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { connect, devAccount } from '../../../src/client/client.js';
import { packageRoot } from '../../../src/config/package-info.js';
import { toHex } from '../../../src/idl/hex.js';
import { NATIVE } from '../../support/native-modes.js';
import { withInProcessNode } from '../../support/nodes/in-process-node.js';
import { findChromium, withPage } from '../../support/pages/chromium.js';
import { COMPILED, servePage } from '../../support/pages/page-server.js';
import type { BrowserTask, BrowserVerdict } from './browser-task.js';

const ENTRY = 'src/proofs/verify.js';

/** The target of a module's import: a compiled file or one of the packages that run everywhere. */
function resolved(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return resolve(dirname(from), specifier);
  assert.match(specifier, /^@noble\//, `${from} imports ${specifier}, which is not for browsers`);
  return join(packageRoot(), 'node_modules', specifier);
}

function modulesOf(entry: string): Map<string, string> {
  const modules = new Map<string, string>();
  const load = (file: string): void => {
    if (modules.has(file)) return;
    const text = readFileSync(file, 'utf8');
    modules.set(file, text);
    for (const [, specifier = ''] of text.matchAll(
      /^\s*(?:import|export)\s(?:[^'";]*?from\s)?['"]([^'"]+)['"]/gm,
    )) {
      load(resolved(file, specifier));
    }
  };
  load(entry);
  return modules;
}

test('heddle/verify imports nothing of Node, evaluates no code, and is small', () => {
  const modules = modulesOf(join(COMPILED, ENTRY));
  let ownBytes = 0;
  for (const [file, text] of modules) {
    if (!file.startsWith(COMPILED)) continue;
    ownBytes += text.length;
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    assert.doesNotMatch(code, /new Function|\beval\(/, file);
    // The two files that use Node's Buffer check that it exists.
    if (!/\/(idl\/hex|base\/same-bytes)\.js$/.test(file))
      assert.doesNotMatch(code, /\bBuffer\b|\bprocess\./, file);
  }
  assert.ok([...modules.keys()].some((file) => file.endsWith('@noble/curves/bls12-381.js')));
  assert.ok(modules.size > 25 && modules.size < 60, `${modules.size} modules`);
  assert.ok(ownBytes < 150_000, `${ownBytes} bytes of own code, before minification`);
});

async function call(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(`${url}/v2/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: unknown };
  return answer.result ?? assert.fail(JSON.stringify(answer));
}

/** A transfer in block 3 of 5, proved under block 5. */
async function fetchTask(): Promise<BrowserTask> {
  return withInProcessNode({ native: process.env['HEDDLE_NATIVE'] ?? NATIVE, workers: 1 }, async (node) => {
    const client = connect(node.url);
    let time = 1_800_000_000_000;
    const seal = () => {
      time += 1_000;
      return node.sealNow(time);
    };
    await seal();
    await seal();
    const to = new Uint8Array(20).fill(0xab);
    const sent = await client.sender(devAccount(0)).transfer({ to, amount: 12_345n, wait: 'none' });
    await seal();
    await seal();
    await seal();
    const address = `0x${toHex(to)}`;
    const finalized = await call(node.url, 'finalized_history_root', {});
    const { history } = finalized as { history: { size: number } };
    return {
      trust: { groupPublicKey: toHex((await client.status()).validator_set.group_public_key) },
      address,
      account: await call(node.url, 'state_proof', { contract: address }),
      txHash: sent.hashHex,
      receipt: await call(node.url, 'tx_receipt', { tx_hash: sent.hashHex, with_proof: true }),
      finalized,
      history: await call(node.url, 'finalized_history_proof', { height: 3, at_size: history.size }),
      historyHeight: 3,
    };
  });
}

const browser = findChromium();

test('a page under a strict policy verifies the answers of a node, and believes no change of them', {
  skip: browser === undefined ? 'no Chromium on this machine' : false,
  timeout: 60_000,
}, async ({ signal }) => {
  const { url, verdict, close } = await servePage({
    module: 'test/proofs/verify/browser-page.js',
    task: await fetchTask(),
  });
  try {
    const { text, browser: name } = await withPage(browser ?? assert.fail(), url, signal, () => verdict);
    const found = JSON.parse(text) as BrowserVerdict & { readonly failure?: string };
    assert.equal(found.failure, undefined);
    assert.equal(found.balance, '12345');
    assert.equal(found.outcome, 'success');
    assert.deepEqual(found.sha256, [0xe3, 0xb0]);
    // `descendants` is optional, and empty for a block that is certified itself.
    assert.deepEqual(found.believed, ['without $.descendants']);
    assert.ok(found.tried > 1_000, `${found.tried}`);
    assert.equal(found.hasNode, false);
    assert.equal(found.canEvaluate, false);
    assert.match(name, /Chrome/);
  } finally {
    close();
  }
});

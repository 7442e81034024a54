// Download size for browser applications: bundlers must be able to drop unused code.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { browserBundle } from '../support/pages/browser-bundle.js';
import { COMPILED } from '../support/pages/page-server.js';

/** Bundles a program that imports this package's modules by file. */
function bundle(program: string) {
  return browserBundle(program, { resolveDir: join(COMPILED, 'src'), minify: true });
}

test('heddle/verify is bundled without the codecs of the API and the ledger', async () => {
  const { text, modules } = await bundle("export * from './proofs/verify.js';");
  assert.ok(modules.includes('src/generated/verify-codecs.js'));
  assert.deepEqual(
    modules.filter((name) => name.startsWith('src/generated/') || name.startsWith('src/idl/')).sort(),
    [
      'src/generated/verify-codecs.js',
      'src/idl/codecs/borsh-reader.js',
      'src/idl/codecs/borsh-writer.js',
      'src/idl/codecs/codec-errors.js',
      'src/idl/codecs/json-reader.js',
      'src/idl/codecs/json-writer.js',
      'src/idl/hex.js',
      'src/idl/nearest-name.js',
    ],
  );
  assert.doesNotMatch(text, /txpool|SignedTransaction|simulat/);
  assert.ok(text.length < 125_000, `${text.length} bytes`);
});

test('a program that uses one generated function is bundled with no others', async () => {
  const { text } = await bundle(
    "import { readJsonAccount } from './generated/node-rpc-v1-codecs.js'; globalThis.read = readJsonAccount;",
  );
  assert.match(text, /next_nonce/);
  assert.doesNotMatch(text, /writeBorsh|tx_hash|validator/);
  assert.ok(text.length < 3_000, `${text.length} bytes`);
});

test('heddle/client is bundled without the manifest, and evaluates no code from text', async () => {
  const { text, modules } = await bundle(
    "import { connect } from './client/client.js'; globalThis.f = connect;",
  );
  assert.ok(!modules.includes('src/generated/node-rpc-v1.js'));
  assert.doesNotMatch(text, /new Function|\beval\(/);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';
import { browserBundle, loadedAtOnce } from '../support/pages/browser-bundle.js';

/** The modules in a program's browser bundle: files of this package and modules of other packages. */
async function bundled(program: string): Promise<readonly string[]> {
  const { modules } = await browserBundle(program, { resolveDir: packageRoot() });
  return modules;
}

const SIGNING = /@noble\/|\/(signers|sender|sign-transaction|nonce-lane)\.js$/;
const CONTRACTS = /\/client\/contract|\/idl\/(abi|compiler)\//;

describe('a bundle for browsers', () => {
  it('of a program that only reads has no code that signs, and none for contracts', async () => {
    const names = await bundled(`
      import { connectReadOnly } from 'heddle/client';
      console.log(await connectReadOnly('http://127.0.0.1:9545').status());
    `);
    assert.ok(names.some((name) => name.endsWith('/read-client.js')));
    assert.deepEqual(
      names.filter((name) => SIGNING.test(name) || CONTRACTS.test(name)),
      [],
    );
  });

  it('of a program that reads contracts has no code that signs', async () => {
    const names = await bundled(`
      import { connectReadOnly, contractAt } from 'heddle/client';
      const client = connectReadOnly('http://127.0.0.1:9545');
      console.log(await contractAt(client, new Uint8Array(20)).view('name'));
    `);
    // Selectors of functions and events are hashes.
    const hashing = /@noble\/hashes\//;
    assert.deepEqual(
      names.filter((name) => SIGNING.test(name) && !hashing.test(name)),
      [],
    );
  });

  it('of a program that sends loads pairings only with the first seal', async () => {
    const program = `
      import { connect, devAccount } from 'heddle/client';
      connect('http://127.0.0.1:9545').seal({}, { signer: devAccount(0) });
    `;
    const first = await loadedAtOnce(program, { resolveDir: packageRoot() });
    assert.ok(first.some((name) => name.endsWith('/seal-transaction.js')));
    const pairing = /bls12-381|\/abstract\/(bls|tower)|@noble\/ciphers|\/sealing\/(seal|scheme)\.js/;
    assert.deepEqual(
      first.filter((name) => pairing.test(name)),
      [],
    );
    const names = await bundled(program);
    assert.ok(names.some((name) => name.endsWith('bls12-381.js')));
    assert.deepEqual(
      names.filter((name) => /blst|\.node$|^node:/.test(name)),
      [],
    );
  });

  it('of a program that sends has the signing code for its kind of key', async () => {
    const names = await bundled(`
      import { connect, ed25519Signer } from 'heddle/client';
      connect('http://127.0.0.1:9545').sender(ed25519Signer(new Uint8Array(32)));
    `);
    assert.ok(names.some((name) => name.endsWith('/sender.js')));
    assert.ok(names.some((name) => name.endsWith('@noble/curves/ed25519.js')));
  });
});

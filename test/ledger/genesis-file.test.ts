import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { Genesis } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { GenesisError } from '../../src/ledger/genesis.js';
import { readGenesisFile } from '../../src/ledger/genesis-file.js';

describe('genesis files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-genesis-'));
  after(() => rmSync(directory, { recursive: true, force: true }));

  let genesis: Genesis;
  before(async () => {
    genesis = devGenesis(await loadCrypto('off'));
  });

  let files = 0;
  function file(content: string): string {
    const path = join(directory, `genesis-${files++}.json`);
    writeFileSync(path, content);
    return path;
  }

  /** The development genesis as JSON, with one change. */
  function changed(change: (json: Record<string, unknown>) => void): string {
    const json = JSON.parse(ledger.Genesis.toJson(genesis)) as Record<string, unknown>;
    change(json);
    return file(JSON.stringify(json));
  }

  describe('a genesis file', () => {
    it('is the JSON form of the struct', () => {
      assert.deepEqual(readGenesisFile(file(ledger.Genesis.toJson(genesis))), genesis);
    });

    const wrong: [what: string, make: () => string, says: RegExp][] = [
      ['that is not there', () => join(directory, 'none.json'), /none\.json: no such file$/],
      ['that is no JSON', () => file('{'), /not valid JSON/],
      ['that holds a list', () => file('[]'), /expected a JSON object, got an array/],
      [
        'with a misspelt member',
        () => changed((json) => Object.assign(json, { acounts: [] })),
        /not a genesis: genesis.*acounts/,
      ],
      [
        'without a member',
        () =>
          changed((json) => {
            delete json['chain_id'];
          }),
        /not a genesis: genesis\.chain_id/,
      ],
      [
        'with a bad address',
        () => changed((json) => Object.assign(json, { accounts: [{ address: '0x12', balance: '1' }] })),
        /not a genesis: genesis\.accounts\[0\]\.address: expected/,
      ],
      [
        'that could begin no chain',
        () => changed((json) => Object.assign(json, { gas_limit: 1 })),
        /not a genesis: gas_limit: expected at least/,
      ],
    ];
    for (const [what, make, says] of wrong) {
      it(`${what} is refused by name`, () => {
        assert.throws(
          () => readGenesisFile(make()),
          (error: unknown) => {
            assert.ok(error instanceof GenesisError);
            assert.ok(error.message.startsWith(directory));
            assert.match(error.message, says);
            return true;
          },
        );
      });
    }
  });
});

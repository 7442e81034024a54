import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSnapshot, snapshotDifferences } from '../../src/contract-sdk/gas-snapshot.js';
import { exampleGas } from '../support/contracts/example-gas.js';
import { CONTRACTS } from '../support/worlds/contract-world.js';

test('the example contracts cost the gas of their snapshot', async () => {
  const snapshot = parseSnapshot(readFileSync(join(CONTRACTS, '.gas-snapshot'), 'utf8'));
  const differences = snapshotDifferences(snapshot, await exampleGas());
  assert.deepEqual(differences, [], 'run: npm run contracts');
});

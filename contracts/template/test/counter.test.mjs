import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ContractSandbox, contractAbi, readContractProject } from 'heddle/contracts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const owner = new Uint8Array(20).fill(1);
const stranger = new Uint8Array(20).fill(2);
const text = (address) => `0x${Buffer.from(address).toString('hex')}`;

let project;
let code;
let contract;

before(async () => {
  project = await readContractProject(folder);
  code = await readFile(join(folder, `${project.name}.wasm`));
});

beforeEach(async () => {
  const sandbox = await ContractSandbox.create();
  contract = sandbox.deploy(new Uint8Array(20).fill(9), code, contractAbi(project));
  contract.init({ owner: text(owner), start: 5 });
});

test('it counts on from where it started, and says so', () => {
  assert.equal(contract.call('increment', { by: 2 }, { from: stranger }), 7);
  assert.equal(contract.call('count'), 7);
  assert.deepEqual(contract.events(), [{ name: 'Counted', args: { by: text(stranger), count: 7 } }]);
});

test('counting on by nothing is refused', () => {
  assert.equal(contract.failure('increment', { by: 0 }), 'count on by at least one');
});

test('only the owner begins again', () => {
  assert.deepEqual(contract.failure('reset', {}, { from: stranger }), {
    name: 'NotOwner',
    args: { caller: text(stranger) },
  });
  contract.call('reset', {}, { from: owner });
  assert.equal(contract.call('count'), 0);
});

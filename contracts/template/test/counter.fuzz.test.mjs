// Random calls, compared with a model. fast-check prints the shortest sequence of calls that fails.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { ContractSandbox, contractAbi, readContractProject } from 'heddle/contracts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const people = [1, 2, 3].map((byte) => new Uint8Array(20).fill(byte));
const [owner] = people;
const text = (address) => `0x${Buffer.from(address).toString('hex')}`;
const MAX_U64 = 2n ** 64n - 1n;

let abi;
let code;
let sandbox;
let deployments = 0;

before(async () => {
  const project = await readContractProject(folder);
  abi = contractAbi(project);
  code = await readFile(join(folder, `${project.name}.wasm`));
  sandbox = await ContractSandbox.create();
});

/** A new counter at a separate address. Text carries 64-bit integers exactly. */
function deployed(start) {
  const at = new Uint8Array(20).fill(9);
  new DataView(at.buffer).setUint32(0, ++deployments);
  const contract = sandbox.deploy(at, code, abi);
  contract.init({ owner: text(owner), start: String(start) });
  return contract;
}

const count = (contract) => BigInt(contract.call('count'));

test('fuzz: an increment adds exactly, or is refused and changes nothing', () => {
  const u64 = fc.bigInt({ min: 0n, max: MAX_U64 });
  fc.assert(
    fc.property(u64, u64, (start, by) => {
      const contract = deployed(start);
      if (by === 0n || start + by > MAX_U64) {
        const reason = by === 0n ? 'count on by at least one' : 'arithmetic overflow';
        assert.equal(contract.failure('increment', { by: String(by) }), reason);
        assert.equal(count(contract), start);
      } else {
        assert.equal(BigInt(contract.call('increment', { by: String(by) })), start + by);
        assert.equal(count(contract), start + by);
      }
    }),
  );
});

test('invariant: the count is the sum of the increments since the last reset by the owner', () => {
  const call = fc.record({
    from: fc.constantFrom(...people),
    by: fc.oneof(fc.constant('reset'), fc.bigInt({ min: 1n, max: 1_000n })),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 20 }), (calls) => {
      const contract = deployed(0n);
      let expected = 0n;
      for (const { from, by } of calls) {
        if (by !== 'reset') {
          contract.call('increment', { by: String(by) }, { from });
          expected += by;
        } else if (from === owner) {
          contract.call('reset', {}, { from });
          expected = 0n;
        } else contract.failure('reset', {}, { from });
        assert.equal(count(contract), expected);
        assert.equal(contract.call('owner'), text(owner));
      }
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toHex } from '../../src/idl/hex.js';
import { addressName } from '../../src/ledger/address-names.js';

test('an address has the same name however often and after whichever others it is named', () => {
  const near = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(near, { minLength: 1, maxLength: 50 }), (addresses) => {
      for (const bytes of addresses) {
        const address = Uint8Array.from(bytes);
        assert.equal(addressName(address), toHex(address));
      }
    }),
  );
});

test('the name of an address stays the same when its bytes change later', () => {
  const address = new Uint8Array(20).fill(7);
  assert.equal(addressName(address), '07'.repeat(20));
  address[0] = 8;
  assert.equal(addressName(address), `08${'07'.repeat(19)}`);
  assert.equal(addressName(new Uint8Array(20).fill(7)), '07'.repeat(20));
});

test('bytes of another length have their own digits', () => {
  assert.equal(addressName(new Uint8Array(20).fill(7)), '07'.repeat(20));
  assert.equal(addressName(new Uint8Array(21).fill(7)), '07'.repeat(21));
  assert.equal(addressName(new Uint8Array(3).fill(7)), '070707');
  assert.equal(addressName(new Uint8Array(0)), '');
});

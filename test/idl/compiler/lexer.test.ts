import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { parseInterface } from '../../../src/client/contract-interface.js';

/** The serialization's mark of a string that takes one byte a character. */
const ONE_BYTE = 0x22;

test('names take one byte a character, even if the text around them takes two', () => {
  const { events } = parseInterface(
    '/// Sender ‖ recipient\ncontract Token { event Transfer { amount: u64; } }',
  );
  const names = [...events.values()].flatMap(({ name, fields }) => [name, ...fields]);
  assert.deepEqual(names, ['Transfer', 'amount']);
  for (const name of names) assert.equal(serialize(name)[2], ONE_BYTE, name);
});

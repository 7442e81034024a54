import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateContractFile } from '../../../src/idl/compiler/user-files.js';

const IDL = `contract HTTPSale {
  method init(supply: u64);
  method migrate();
  method buy(item: u64);
  view left() -> u64;
  event Sold {
    indexed item: u64;
    indexed label: string;
    indexed buyer?: address;
    indexed pair: hash[1];
    indexed both: hash[2];
    price: u128;
  }
}
`;

describe('the generated client of a contract', () => {
  const { name, text } = generateContractFile([{ name: 'sale.idl', text: IDL }]);

  test('is named after the contract, and so is its interface text', () => {
    assert.equal(name, 'http-sale-contract.ts');
    assert.match(text, /^export const HTTP_SALE_IDL = "contract HTTPSale /m);
  });

  test('omits the methods called by deployment and upgrade', () => {
    assert.match(text, /readonly buy: /);
    assert.doesNotMatch(text, /readonly (init|migrate): /);
  });

  test('has the topic of a field that cannot be decoded from it', () => {
    const topic = '{ readonly topic: Uint8Array }';
    assert.ok(
      text.includes(
        `readonly Sold: { readonly item: bigint; readonly label: ${topic}; readonly buyer: ${topic}; readonly pair: readonly Uint8Array[]; readonly both: ${topic}; readonly price: bigint }`,
      ),
      text,
    );
  });
});

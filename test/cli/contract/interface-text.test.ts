import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interfaceText } from '../../../src/cli/contract/contract-read.js';

test('an interface is shown with its types, marks and first lines of its documentation', () => {
  const idl = `
/// Sells.
/// At fixed prices.
contract Shop {
  /// Pays for an item.
  @payable method buy(item: u64, note?: string) -> Order;
  method close();
  view price(item: u64) -> u128?;
  event Sold { indexed buyer: address; price: u128; }
  error SoldOut { item: u64; }
}
struct Order { id: u64; way: Delivery; items: u64[]; }
enum Delivery { PickUp, Post: address }
`;
  assert.equal(
    interfaceText(idl),
    `
Shop

methods
  @payable buy(item: u64, note?: string) -> Order
      Pays for an item.
  close()

views
  price(item: u64) -> u128?

events
  Sold { indexed buyer: address, price: u128 }

errors
  SoldOut { item: u64 }

structs
  Order { id: u64, way: Delivery, items: u64[] }

enums
  Delivery: pick_up | post(address)
`,
  );
});

test('a text that is not an interface gets a message', () => {
  assert.match(interfaceText('contract {'), /^the text on chain is not the interface of one contract: /);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Heap, HeapNode, type HeapOrder } from '../../../src/mempool/lanes/heap.js';
import { HeapWalk } from '../../../src/mempool/lanes/heap-walk.js';

interface Item {
  key: bigint;
  readonly id: number;
}

/** Small keys that often collide, negative ones, and keys that differ only beyond the precision of a double. */
const key = fc.oneof(
  fc.bigInt({ min: -5n, max: 30n }),
  fc.bigInt({ min: 2n ** 100n - 5n, max: 2n ** 100n + 5n }),
  fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }),
);
const anyOrder = fc.constantFrom<HeapOrder[]>('lowest', 'highest');
const keys = fc.array(key, { maxLength: 120, size: 'max' });
const changes = fc.array(fc.tuple(fc.nat(), key), { maxLength: 60, size: 'max' });

function inOrder(order: HeapOrder, items: readonly Item[]): Item[] {
  const sign = order === 'lowest' ? 1 : -1;
  return [...items].sort((a, b) => (a.key === b.key ? a.id - b.id : a.key < b.key ? -sign : sign));
}

function heapOf(
  order: HeapOrder,
  all: readonly bigint[],
): { heap: Heap<Item>; nodes: HeapNode<Item>[]; items: Item[] } {
  const heap = new Heap<Item>(order);
  const nodes = all.map((one, id) => new HeapNode<Item>({ key: one, id }));
  for (const node of nodes) heap.put(node, node.value.key, node.value.id);
  return { heap, nodes, items: nodes.map(({ value }) => value) };
}

function drain(heap: Heap<Item>): Item[] {
  const items: Item[] = [];
  for (let node = heap.pop(); node !== undefined; node = heap.pop()) items.push(node.value);
  return items;
}

test('a heap yields its values in order after any moves and removals', () => {
  fc.assert(
    fc.property(
      anyOrder,
      keys,
      changes,
      fc.array(fc.nat(), { maxLength: 60, size: 'max' }),
      (order, all, moved, removed) => {
        const { heap, nodes } = heapOf(order, all);
        for (const [at, to] of moved) {
          const node = nodes[at % nodes.length];
          if (node === undefined) continue;
          node.value.key = to;
          heap.put(node, to, node.value.id);
        }
        const gone = new Set<HeapNode<Item>>();
        for (const at of removed) {
          const node = nodes[at % nodes.length];
          if (node === undefined) continue;
          heap.remove(node);
          gone.add(node);
          assert.equal(node.index, -1);
        }
        const left = nodes.filter((node) => !gone.has(node)).map(({ value }) => value);
        assert.equal(heap.size, left.length);
        assert.deepEqual(drain(heap), inOrder(order, left));
      },
    ),
  );
});

test('a heap is in order again after all keys change', () => {
  fc.assert(
    fc.property(anyOrder, keys, keys, (order, all, others) => {
      const { heap, items } = heapOf(order, all);
      for (const item of items) item.key = others[item.id % (others.length + 1)] ?? -item.key;
      heap.rekey((item) => item.key);
      assert.deepEqual(drain(heap), inOrder(order, items));
    }),
  );
});

test('a walk goes through a heap in order and leaves it unchanged', () => {
  fc.assert(
    fc.property(anyOrder, keys, (order, all) => {
      const { heap, items } = heapOf(order, all);
      const walk = new HeapWalk<Item, Item>(heap, (item) => (item.id % 3 === 0 ? undefined : item));
      const seen: Item[] = [];
      for (let step = walk.next(); step !== undefined; step = walk.next()) {
        assert.equal(step.key, step.value.key);
        seen.push(step.value);
      }
      assert.deepEqual(
        seen,
        inOrder(
          order,
          items.filter(({ id }) => id % 3 !== 0),
        ),
      );
      assert.deepEqual(drain(heap), inOrder(order, items));
    }),
  );
});

test('a value added during a walk is visited in its place', () => {
  const { heap } = heapOf('lowest', [1n, 4n, 6n]);
  const walk = new HeapWalk<Item, string>(heap, ({ id }) => `member ${id}`);
  assert.equal(walk.next()?.value, 'member 0');
  walk.add('five', 5n, 10);
  walk.add('zero', 0n, 11);
  assert.deepEqual(walk.peek(), { value: 'zero', key: 0n });
  assert.deepEqual(
    [walk.next(), walk.next(), walk.next(), walk.next(), walk.next()].map((step) => step?.value),
    ['zero', 'member 1', 'five', 'member 2', undefined],
  );
});

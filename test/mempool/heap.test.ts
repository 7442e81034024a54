import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Heap, HeapNode, HeapWalk } from '../../src/mempool/heap.js';

interface Item {
  rank: number;
  readonly id: number;
}

const before = (a: Item, b: Item) => (a.rank === b.rank ? a.id < b.id : a.rank < b.rank);
const inOrder = (items: readonly Item[]) => [...items].sort((a, b) => (before(a, b) ? -1 : 1));
const ranks = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 120, size: 'max' });
const places = fc.array(fc.nat(), { maxLength: 60, size: 'max' });

function heapOf(all: readonly number[]): { heap: Heap<Item>; nodes: HeapNode<Item>[] } {
  const heap = new Heap<Item>(before);
  const nodes = all.map((rank, id) => new HeapNode<Item>({ rank, id }));
  for (const node of nodes) heap.put(node);
  return { heap, nodes };
}

function drain(heap: Heap<Item>): Item[] {
  const items: Item[] = [];
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) items.push(item);
  return items;
}

function picked<T>(list: readonly T[], at: number): T | undefined {
  return list.length === 0 ? undefined : list[at % list.length];
}

test('a heap gives its values in order, whatever was moved and removed in between', () => {
  fc.assert(
    fc.property(ranks, places, places, (all, moved, removed) => {
      const { heap, nodes } = heapOf(all);
      for (const at of moved) {
        const node = picked(nodes, at);
        if (node === undefined) continue;
        node.value.rank = at % 31;
        heap.put(node);
      }
      const gone = new Set<HeapNode<Item>>();
      for (const at of removed) {
        const node = picked(nodes, at);
        if (node === undefined) continue;
        heap.remove(node);
        gone.add(node);
        assert.equal(node.index, -1);
      }
      const left = nodes.filter((node) => !gone.has(node)).map(({ value }) => value);
      assert.equal(heap.size, left.length);
      assert.deepEqual(drain(heap), inOrder(left));
    }),
  );
});

test('a heap is in order again after all ranks changed', () => {
  fc.assert(
    fc.property(ranks, (all) => {
      const { heap, nodes } = heapOf(all);
      for (const { value } of nodes) value.rank = (value.rank * 7) % 31;
      heap.rebuild();
      assert.deepEqual(drain(heap), inOrder(nodes.map(({ value }) => value)));
    }),
  );
});

test('a walk goes through a heap in order and leaves it as it was', () => {
  fc.assert(
    fc.property(ranks, (all) => {
      const { heap, nodes } = heapOf(all);
      const items = nodes.map(({ value }) => value);
      const walk = new HeapWalk<Item, Item>(heap, (item) => (item.rank % 3 === 0 ? undefined : item), before);
      const seen: Item[] = [];
      for (let item = walk.next(); item !== undefined; item = walk.next()) seen.push(item);
      assert.deepEqual(seen, inOrder(items.filter(({ rank }) => rank % 3 !== 0)));
      assert.deepEqual(drain(heap), inOrder(items));
    }),
  );
});

test('what is fed into a walk comes out in its place among what is left', () => {
  const { heap } = heapOf([1, 4, 6]);
  const walk = new HeapWalk<Item, Item>(heap, (item) => item, before);
  assert.equal(walk.next()?.rank, 1);
  walk.add({ rank: 5, id: 10 });
  walk.add({ rank: 0, id: 11 });
  assert.deepEqual(
    [walk.next(), walk.next(), walk.next(), walk.next(), walk.next()].map((item) => item?.rank),
    [0, 4, 5, 6, undefined],
  );
});

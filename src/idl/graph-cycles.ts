/** The nodes on a cycle of a graph: Tarjan's strongly connected components, without recursion. */
export function nodesOnCycles(graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  for (const root of graph.keys()) {
    if (order.has(root)) continue;
    const path = [{ node: root, next: 0 }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { node } = step;
      if (step.next === 0) {
        order.set(node, order.size);
        lowest.set(node, order.size - 1);
        open.push(node);
        isOpen.add(node);
      }
      const neighbour = graph.get(node)?.[step.next++];
      if (neighbour !== undefined) {
        if (neighbour === node) found.add(node);
        if (!order.has(neighbour)) path.push({ node: neighbour, next: 0 });
        else if (isOpen.has(neighbour)) lower(lowest, node, order.get(neighbour) ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(lowest, parent.node, lowest.get(node) ?? 0);
      if (lowest.get(node) !== order.get(node)) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const member of component) isOpen.delete(member);
      if (component.length > 1) for (const member of component) found.add(member);
    }
  }
  return found;
}

function lower(lowest: Map<string, number>, node: string, value: number): void {
  lowest.set(node, Math.min(lowest.get(node) ?? value, value));
}

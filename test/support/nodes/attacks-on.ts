import { after, before, describe, test } from 'node:test';
import { AttackedNode } from './attacked-node.js';

/** Adds tests that run after the node's restart. */
export type AfterRestart = (addTests: () => void) => void;

/** Adds the tests of an attack on a node that other attacks share: they leave it as they found it, but for the chain. */
export type Attack = (attacked: AttackedNode, afterRestart: AfterRestart) => void;

/**
 * Runs attacks one after another on one node, each as a suite of its own, then restarts it if an attack has tests for that. A
 * node that an attack has ended is started again for the next one, which counts its peak of memory from its own beginning.
 */
export function attacksOn(
  node: string,
  flags: readonly string[],
  attacks: Readonly<Record<string, Attack>>,
): void {
  describe(`attacks on ${node}`, () => {
    const attacked = new AttackedNode(flags);
    after(() => attacked.dispose());
    const onceMore: (readonly [string, () => void])[] = [];
    for (const [name, attack] of Object.entries(attacks)) {
      describe(name, () => {
        before(() => attacked.ready());
        attack(attacked, (addTests) => onceMore.push([name, addTests]));
      });
    }
    if (onceMore.length === 0) return;
    describe('after a restart', () => {
      before(() => attacked.restart('kill'));
      test('the node is sound', () => attacked.assertSound({ peakMiB: 768 }));
      for (const [name, addTests] of onceMore) describe(name, addTests);
    });
  });
}

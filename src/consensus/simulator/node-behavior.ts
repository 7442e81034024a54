import type { JournalEntry } from '../core/types.js';

/** The modelled shell's behavior under the rules that involve it; tests break the rules one by one. */
export interface NodeBehavior {
  /** Rule 7: returns true if the node writes an entry to its journal. */
  journals(entry: JournalEntry): boolean;
  /** Rule 8: the verdict on a block whose timestamp is too far ahead of the local clock. */
  readonly earlyBlock: 'withheld' | 'invalid';
  /** Rule 9: whether a node with a wiped disk keeps voting in the same epoch. */
  readonly votesAfterAmnesia: boolean;
}

export const DEFAULT_BEHAVIOR: NodeBehavior = {
  journals: () => true,
  earlyBlock: 'withheld',
  votesAfterAmnesia: false,
};

import type { JournalEntry } from '../core/types.js';

/** What the modelled shell does for the rules that are not the core's alone; a test breaks them one by one. */
export interface NodeBehavior {
  /** Rule 7: whether an entry is written. */
  journals(entry: JournalEntry): boolean;
  /** Rule 8: what is said of a block whose time is too far ahead by the own clock. */
  readonly earlyBlock: 'withheld' | 'invalid';
  /** Rule 9: whether a node whose disk was wiped goes on voting in the same epoch. */
  readonly votesAfterAmnesia: boolean;
}

export const DEFAULT_BEHAVIOR: NodeBehavior = {
  journals: () => true,
  earlyBlock: 'withheld',
  votesAfterAmnesia: false,
};

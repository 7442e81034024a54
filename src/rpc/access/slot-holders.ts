/** A token that holds a slot. */
export interface Holder {
  readonly token: { readonly subject: string };
  /** When the token was last used; greater is later. */
  readonly lastUse: number;
}

/**
 * Chooses the tokens that lose their slots: always the least recently used token of the subject that holds the most
 * slots; if several subjects do, of all their tokens.
 * @param holders all tokens with a slot, the first one opened first
 */
export function surplusHolders<H extends Holder>(holders: Iterable<H>, count: number): H[] {
  const bySubject = new Map<string, H[]>();
  for (const holder of holders) {
    const { subject } = holder.token;
    const own = bySubject.get(subject);
    if (own === undefined) bySubject.set(subject, [holder]);
    else own.push(holder);
  }
  const groups = [...bySubject.values()];
  // The least recently used one is taken from the end; of several, the first one given.
  for (const group of groups) group.reverse().sort((a, b) => b.lastUse - a.lastUse);
  const chosen: H[] = [];
  while (chosen.length < count) {
    let most: H[] = [];
    for (const group of groups) if (isBefore(group, most)) most = group;
    const holder = most.pop();
    if (holder === undefined) break;
    chosen.push(holder);
  }
  return chosen;
}

function isBefore(group: readonly Holder[], other: readonly Holder[]): boolean {
  if (group.length !== other.length) return group.length > other.length;
  return (group.at(-1)?.lastUse ?? 0) < (other.at(-1)?.lastUse ?? 0);
}

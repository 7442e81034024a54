/**
 * The known name that was probably meant: nearest by edit distance, ignoring case, or undefined if none is close. Ties
 * go to the first.
 */
export function nearestName(wrong: string, known: Iterable<string>): string | undefined {
  // Client input may be very long; declared names are not.
  if (wrong.length > 100) return undefined;
  const limit = Math.max(1, Math.floor(wrong.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const name of known) {
    if (Math.abs(name.length - wrong.length) >= bestDistance) continue;
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let min = Math.min(replaced, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        min = Math.min(min, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(min);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** Ends of more parts than this are not tried: the whole name stands instead. */
const MAX_PARTS = 8;

/**
 * Short forms of paths such as `assembly/token/Token#transfer`: of each name, the shortest end behind a `/` that no other
 * name has. Directories that many names share say little, and take the room of what differs.
 * @returns by name
 */
export function distinctEnds(names: Iterable<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let left: readonly string[] = [...new Set(names)];
  for (let parts = 1; parts <= MAX_PARTS && left.length > 0; parts++) {
    const uses = new Map<string, number>();
    for (const name of left) uses.set(endOf(name, parts), (uses.get(endOf(name, parts)) ?? 0) + 1);
    left = left.filter((name) => {
      const end = endOf(name, parts);
      if (uses.get(end) !== 1) return true;
      found.set(name, end);
      return false;
    });
  }
  for (const name of left) found.set(name, name);
  return found;
}

/** The last parts of a path; the first of them may begin at its start. */
function endOf(path: string, parts: number): string {
  let start = path.length - 1;
  for (let part = 0; part < parts && start > 0; part++) start = path.lastIndexOf('/', start - 1);
  return start <= 0 ? path : path.slice(start + 1);
}

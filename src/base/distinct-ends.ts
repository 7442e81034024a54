/** A name that needs more parts than this stays whole. */
const MAX_PARTS = 8;
/** The module of the host functions that contracts import. */
const HOST = 'heddle.';

/**
 * Short forms of names with paths, such as `Token#transfer` for `assembly/token/Token#transfer`. Each path keeps as few of
 * its last parts as tell the name apart from all others: directories that many names share say little and take the room
 * of the rest. The type arguments of a name may be paths, too.
 * @returns by name
 */
export function distinctEnds(names: Iterable<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // All whole names, and the ends given so far.
  const taken = new Set(names);
  let left: readonly string[] = [...taken];
  for (let parts = 1; parts <= MAX_PARTS && left.length > 0; parts++) {
    const ends = left.map((name) => [name, endsOf(name, parts)] as const);
    const uses = new Map<string, number>();
    for (const [, end] of ends) uses.set(end, (uses.get(end) ?? 0) + 1);
    for (const [name, end] of ends) {
      if (end !== name && (uses.get(end) !== 1 || taken.has(end))) continue;
      found.set(name, end);
      taken.add(end);
    }
    left = left.filter((name) => !found.has(name));
  }
  for (const name of left) found.set(name, name);
  return found;
}

/** A name with the last parts of its paths; a host function, such as `heddle.storage_read`, has two parts. */
function endsOf(name: string, parts: number): string {
  if (name.startsWith(HOST)) return parts === 1 ? name.slice(HOST.length) : name;
  return name.replace(/[^<>,]+/g, (path) => endOf(path, parts));
}

/** The last parts of a path; the first of them may begin at its start. */
function endOf(path: string, parts: number): string {
  let start = path.length - 1;
  for (let part = 0; part < parts && start > 0; part++) start = path.lastIndexOf('/', start - 1);
  return start <= 0 ? path : path.slice(start + 1);
}

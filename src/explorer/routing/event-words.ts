/** What the events page shows, as people write it. Links carry it, so it may be anything. */
export interface EventWords {
  readonly event?: string;
  /** Conditions on indexed fields, each `FIELD=VALUE`, as for `heddle logs --where`. */
  readonly where: readonly string[];
  /** The newest block to show. */
  readonly to?: string;
}

/** Longer texts are no filter that this page has made. */
const MAX_LENGTH = 4_000;

/** Reads the part of a link behind its question mark. Returns undefined for another form. */
export function parseEventWords(text: string): EventWords | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const given = new URLSearchParams(text);
  for (const name of given.keys()) if (!['event', 'where', 'to'].includes(name)) return undefined;
  const [event, to] = [given.get('event'), given.get('to')];
  return {
    ...(event !== null && event !== '' && { event }),
    where: given.getAll('where'),
    ...(to !== null && to !== '' && { to }),
  };
}

/** The reverse of {@link parseEventWords}. */
export function eventWordsText({ event, where, to }: EventWords): string {
  const given = new URLSearchParams();
  if (event !== undefined) given.set('event', event);
  for (const word of where) given.append('where', word);
  if (to !== undefined) given.set('to', to);
  return given.toString();
}

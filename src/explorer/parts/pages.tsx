import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLoaded } from '../node/loading.js';
import { Button } from './controls.js';
import { WhenLoaded } from './failure-box.js';

/** One page of a listing. */
export interface ListingPage<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

interface PagesProps<T> {
  /** Reads the page at a cursor; undefined for the first. */
  readonly load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListingPage<T>>;
  /** Dependencies of the listing; a change returns to the first page. */
  readonly inputs: readonly unknown[];
  readonly show: (items: readonly T[]) => ComponentChildren;
  /** Calls back when the first page may have changed, until the returned function is called. */
  readonly watch?: (onChange: () => void) => () => void;
}

/** A listing in pages, newest first. */
export function Pages<T>({ load, inputs, show, watch }: PagesProps<T>) {
  /** Cursors of the pages up to the current one. */
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = cursors.at(-1);
  const page = useLoaded((signal) => load(cursor, signal), [...inputs, cursor]);
  const isFirst = cursors.length === 1;
  useEffect(() => (isFirst ? watch?.(page.reload) : undefined), [isFirst, watch, page.reload]);
  const ready = page.loading.state === 'ready' ? page.loading.value : undefined;
  const next = ready?.next;
  const isEmpty = isFirst && ready?.items.length === 0 && next === undefined;
  return (
    <>
      <WhenLoaded of={page}>{({ items }) => show(items)}</WhenLoaded>
      {isEmpty ? (
        <Button onClick={page.reload}>Refresh</Button>
      ) : (
        <nav class="pager" aria-label="Pages">
          <Button disabled={isFirst} onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </Button>
          <span class="muted">Page {cursors.length}</span>
          <Button
            disabled={next === undefined}
            onClick={() => next !== undefined && setCursors([...cursors, next])}
          >
            Older
          </Button>
          <Button onClick={page.reload}>Refresh</Button>
        </nav>
      )}
    </>
  );
}

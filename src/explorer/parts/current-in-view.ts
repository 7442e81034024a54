import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { route } from '../routing/location.js';

/** Scrolls a row of links sideways until the current one is in the middle, as far as possible; without one to its start. */
export function useCurrentInView(): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  const page = route.value;
  useEffect(() => {
    if (!row.current) return;
    const { offsetLeft, clientWidth } = row.current;
    const current = row.current.querySelector<HTMLElement>('[aria-current]');
    const middle = current === null ? 0 : current.offsetLeft - offsetLeft + current.offsetWidth / 2;
    row.current.scrollLeft = middle - clientWidth / 2;
  }, [page]);
  return row;
}

import { computed, signal } from '@preact/signals';
import { parseRoute } from './route.js';

const fragment = signal(globalThis.location?.hash ?? '');

/** The page that the address bar names. */
export const route = computed(() => parseRoute(fragment.value));

/** Follows the address bar. */
export function followLocation(): void {
  globalThis.addEventListener('hashchange', () => {
    fragment.value = location.hash;
  });
}

/** Opens a page by its link. */
export function open(link: string): void {
  location.hash = link;
}

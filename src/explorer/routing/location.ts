import { computed, signal } from '@preact/signals';
import { parseRoute } from './route.js';

const fragment = signal(globalThis.location?.hash ?? '');

/** The page that the address bar names. */
export const route = computed(() => parseRoute(fragment.value));

export function followLocation(): void {
  globalThis.addEventListener('hashchange', () => {
    fragment.value = location.hash;
  });
}

/** Opens a page by its link. If it is open already, its heading takes the focus, as on any other page. */
export function open(link: string): void {
  if (location.hash === link) document.getElementById('page-title')?.focus();
  else location.hash = link;
}

import { computed, signal } from '@preact/signals';
import { keepChoice, keptChoice } from '../node/browser-storage.js';

export type Theme = 'system' | 'light' | 'dark';

export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const KEY = 'heddle.theme';

/** The colours of the page; `system` follows the browser. */
export const theme = signal<Theme>(kept());

const systemIsDark = signal(false);

/** True while the colours are dark. */
export const isDark = computed(
  () => theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value),
);

/** Applies the colours, and follows those of the system. */
export function startTheme(): void {
  const query = matchMedia('(prefers-color-scheme: dark)');
  systemIsDark.value = query.matches;
  query.addEventListener('change', () => {
    systemIsDark.value = query.matches;
  });
  applyTheme();
}

/** Changes the colours, and stores the choice for later visits. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  applyTheme();
  keepChoice(KEY, chosen);
}

function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
}

function kept(): Theme {
  const choice = keptChoice(KEY);
  return THEMES.find((name) => name === choice) ?? 'system';
}

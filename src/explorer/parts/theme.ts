import { computed, signal } from '@preact/signals';

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
  try {
    localStorage.setItem(KEY, chosen);
  } catch (error) {
    // Browsers may refuse storage; the choice then lasts until the page is closed.
    if (!(error instanceof DOMException)) throw error;
  }
}

function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
}

function kept(): Theme {
  try {
    return THEMES.find((name) => name === localStorage.getItem(KEY)) ?? 'system';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return 'system';
  }
}

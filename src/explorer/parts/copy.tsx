import { useEffect, useState } from 'preact/hooks';
import { Button } from './controls.js';

/** Time for which a copy button shows its success, in milliseconds. */
const SHOWN_MS = 1_500;

/** Copies a text to the clipboard. @returns whether the browser allowed it */
async function copied(text: string): Promise<boolean> {
  // Browsers offer the clipboard only in secure contexts.
  if (navigator.clipboard === undefined) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** A button that copies a text. @param what names the text, such as `block hash` */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => void copied(text).then((done) => setState(done ? 'done' : 'refused'));
  const label = state === 'idle' ? `Copy ${what}` : state === 'done' ? 'Copied' : 'The browser refused';
  return (
    <Button class="icon-button" aria-label={label} title={label} onClick={copy}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {state === 'done' ? (
          <path d="M3 8.5l3.2 3.2L13 4.8" fill="none" stroke="currentColor" stroke-width="2" />
        ) : state === 'refused' ? (
          <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="2" />
        ) : (
          <path
            d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7"
            fill="none"
            stroke="currentColor"
            stroke-width="1.4"
            stroke-linejoin="round"
          />
        )}
      </svg>
    </Button>
  );
}

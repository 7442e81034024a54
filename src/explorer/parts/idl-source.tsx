import { useMemo, useState } from 'preact/hooks';
import { counted } from '../text/format.js';
import { idlParts } from '../text/idl-parts.js';
import { excerpt } from '../text/untrusted.js';
import { Button } from './controls.js';

/** Number of characters shown at first; the chain allows 64 KiB. */
const FIRST = 20_000;
const MAX_SHOWN = 100_000;

/** The text of an interface in colours. It is untrusted, and need not be valid. */
export function IdlSource({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const shown = useMemo(() => excerpt(text, isOpen ? MAX_SHOWN : FIRST), [text, isOpen]);
  const parts = useMemo(() => idlParts(shown.text), [shown.text]);
  return (
    <>
      <pre class="source idl">
        {parts.map((part, at) =>
          part.kind === 'plain' ? (
            part.text
          ) : (
            // A part has no identity other than its index.
            <span key={at} class={`idl-${part.kind}`}>
              {part.text}
            </span>
          ),
        )}
        {shown.left > 0 && '…'}
      </pre>
      {shown.left > 0 && !isOpen && (
        <Button onClick={() => setOpen(true)}>Show {counted(shown.left, 'more character')}</Button>
      )}
    </>
  );
}

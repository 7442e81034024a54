import { useState } from 'preact/hooks';
import { counted } from '../text/format.js';
import { excerpt } from '../text/untrusted.js';
import { Button } from './controls.js';

/** Maximum number of characters shown of any text. */
const MAX_SHOWN = 100_000;

/** A doc comment, with its lines joined into paragraphs. */
export function DocText({ text, max = 600 }: { readonly text: string; readonly max?: number }) {
  return (
    <p class="doc">
      <LongText text={text.replace(/([^\n])\n(?!\n)/g, '$1 ')} max={max} />
    </p>
  );
}

interface LongTextProps {
  readonly text: string;
  readonly max?: number;
  /** Keeps line breaks, as for source text. */
  readonly block?: boolean;
}

/** An untrusted text: its beginning, and the rest on request. */
export function LongText({ text, max = 400, block = false }: LongTextProps) {
  const [open, setOpen] = useState(false);
  const shown = excerpt(text, open ? MAX_SHOWN : max);
  const content = (
    <>
      {shown.text}
      {shown.left > 0 && '…'}
    </>
  );
  return (
    <>
      {block ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        <pre class="source" tabIndex={0}>
          {content}
        </pre>
      ) : (
        <span class="untrusted">{content}</span>
      )}
      {shown.left > 0 && !open && (
        <>
          {' '}
          <Button class="link-button" onClick={() => setOpen(true)}>
            Show {counted(shown.left, 'more character')}
          </Button>
        </>
      )}
    </>
  );
}

import { useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/controls.js';
import { grouped, percent } from '../text/format.js';
import { shortName } from '../text/untrusted.js';
import { type FlameBox, flameBoxes, zoomed } from './flame-layout.js';

const ROW_PIXELS = 22;

/**
 * A flame graph of gas. It is a single tab stop: arrow keys move between boxes, Enter zooms into a box, and Escape
 * zooms out.
 */
export function FlameGraph({ folded }: { readonly folded: readonly string[] }) {
  const boxes = useMemo(() => flameBoxes(folded), [folded]);
  const [zoom, setZoom] = useState(0);
  const [current, setCurrent] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => zoomed(boxes, zoom), [boxes, zoom]);
  const all = boxes[0];
  if (all === undefined) return null;
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1;
  const box = boxes[current] ?? all;

  const focus = (index: number | undefined) => {
    if (index === undefined) return;
    setCurrent(index);
    frame.current?.querySelector<HTMLElement>(`[data-box="${index}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setZoom(0);
    else if (!event.key.startsWith('Arrow')) return;
    else focus(neighbour(shown, current, event.key));
    event.preventDefault();
  };
  return (
    <div class="flame">
      <p class="flame-about" aria-live="off">
        <strong class="mono">{shortName(box.name, 96)}</strong>: {grouped(box.gas)} gas,{' '}
        {percent(box.gas, all.gas)}
        {zoom !== 0 && (
          <Button class="link-button" onClick={() => setZoom(0)}>
            Show all
          </Button>
        )}
      </p>
      <div class="flame-scroll">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
        <div
          ref={frame}
          class="flame-frame"
          role="group"
          aria-label="Flame graph of gas; arrow keys move, Enter zooms"
          style={{ height: `${rows * ROW_PIXELS}px` }}
          onKeyDown={onKeyDown}
        >
          {shown.map((each) => (
            <button
              key={each.index}
              type="button"
              class="flame-box"
              data-box={each.index}
              tabIndex={
                each.index === current || (each.row === 0 && !shown.some((b) => b.index === current)) ? 0 : -1
              }
              aria-label={`${shortName(each.label, 96)}, ${grouped(each.gas)} gas, ${percent(each.gas, all.gas)}`}
              style={{
                left: `${each.left / 10_000}%`,
                width: `${each.width / 10_000}%`,
                bottom: `${each.row * ROW_PIXELS}px`,
                background: `var(--flame-${colourOf(each.name)})`,
              }}
              onClick={() => setZoom(each.index === zoom ? 0 : each.index)}
              onFocus={() => setCurrent(each.index)}
              onMouseEnter={() => setCurrent(each.index)}
            >
              {each.width > 40_000 ? shortName(each.label, 96) : ''}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The box that an arrow key selects; up moves to the callees. */
function neighbour(
  shown: readonly (FlameBox & { readonly index: number })[],
  current: number,
  key: string,
): number | undefined {
  const at = shown.findIndex(({ index }) => index === current);
  const box = shown[at];
  if (box === undefined) return shown[0]?.index;
  if (key === 'ArrowDown') return box.parent < 0 ? undefined : box.parent;
  if (key === 'ArrowUp') return shown.find(({ parent }) => parent === current)?.index;
  const row = shown.filter((each) => each.row === box.row).sort((a, b) => a.left - b.left);
  const place = row.indexOf(box) + (key === 'ArrowRight' ? 1 : -1);
  return row[place]?.index;
}

/** The colour of a function name; all host functions share one. */
function colourOf(name: string): string {
  if (name.startsWith('heddle.') || name.includes(' heddle.')) return 'host';
  let sum = 0;
  for (let at = 0; at < name.length && at < 64; at++) sum = (sum * 31 + name.charCodeAt(at)) % 9_973;
  return String(sum % 4);
}

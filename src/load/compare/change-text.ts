import type { ComparedFigure } from '../load-report.js';

/** How a figure changed, such as `+12.5 %`; a difference where the earlier value was 0. */
export function changeText({ before, now }: ComparedFigure): string {
  if (now === before) return '=';
  const sign = now > before ? '+' : '−';
  const size = Math.abs(now - before);
  if (before === 0) return `${sign}${size.toLocaleString('en', { maximumFractionDigits: 2 })}`;
  return `${sign}${((size / before) * 100).toFixed(1)} %`;
}

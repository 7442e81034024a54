import type { Plot } from '../../../src/load/page/plot.js';

/** The plots in a report's page, in order. */
export function pagePlots(page: string): Plot[] {
  const texts = page.matchAll(/<script type="application\/json">([\s\S]*?)<\/script>/g);
  return Array.from(texts, ([, text = '']) => JSON.parse(text) as Plot);
}

/** The page's text without its style and scripts, one line for each row of a table. */
export function pageText(page: string): string {
  return page
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<\/t[dh]>/g, ' | ')
    .replace(/<[^>]*>/g, '');
}

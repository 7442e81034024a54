import assert from 'node:assert/strict';
import { createContext, runInContext } from 'node:vm';

export interface DrawnPlot {
  /** Id of the element that receives it. */
  readonly place: string;
  readonly options: {
    readonly title: string;
    readonly width: number;
    readonly series: readonly { readonly label: string }[];
  };
  readonly series: readonly (readonly (number | null)[])[];
}

/** Runs the script of a page with charts in the place of a browser, and returns the plots that it draws. */
export function drawnPlots(page: string): DrawnPlot[] {
  const scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  const data = new Map(
    scripts.map(([, attributes = '', text = '']) => [/id="(\w+)"/.exec(attributes)?.[1], text] as const),
  );
  const plots: DrawnPlot[] = [];
  let place = '';
  const context = createContext({
    document: {
      body: { clientWidth: 800 },
      createElement: () => ({}),
      getElementById: (id: string) => {
        if (data.has(id)) return { textContent: data.get(id) };
        assert.ok(page.includes(`id="${id}"`), `there is no element ${id}`);
        return {
          append: () => {
            place = id;
          },
        };
      },
    },
    addEventListener: () => undefined,
    uPlot: class {
      static readonly paths = { stepped: () => 'steps', bars: () => 'bars', linear: () => 'line' };

      constructor(options: DrawnPlot['options'], series: DrawnPlot['series']) {
        plots.push({ place, options, series });
      }
    },
  });
  runInContext(scripts.at(-1)?.[2] ?? '', context);
  // Objects of another realm are never deeply equal to ours.
  return JSON.parse(JSON.stringify(plots)) as DrawnPlot[];
}

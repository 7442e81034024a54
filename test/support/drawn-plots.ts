import { createContext, runInContext } from 'node:vm';

export interface DrawnPlot {
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
  const element = { append: () => undefined };
  const context = createContext({
    document: {
      body: { clientWidth: 800 },
      createElement: () => element,
      getElementById: (id: string) => (id === 'plots' ? element : { textContent: data.get(id) }),
    },
    addEventListener: () => undefined,
    uPlot: class {
      static readonly paths = { stepped: () => 'steps' };

      constructor(options: DrawnPlot['options'], series: DrawnPlot['series']) {
        plots.push({ options, series });
      }
    },
  });
  runInContext(scripts.at(-1)?.[2] ?? '', context);
  // Objects of another realm are never deeply equal to ours.
  return JSON.parse(JSON.stringify(plots)) as DrawnPlot[];
}

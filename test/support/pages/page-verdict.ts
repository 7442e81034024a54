// Runs in a browser.

/** The page's environment. */
export interface Surroundings {
  /** True if the page may evaluate text as code, which its policy forbids. */
  readonly canEvaluate: boolean;
  readonly hasNode: boolean;
}

export function surroundings(): Surroundings {
  const hasNode = 'process' in globalThis || 'Buffer' in globalThis;
  try {
    new Function('return 1')();
    return { canEvaluate: true, hasNode };
  } catch {
    return { canEvaluate: false, hasNode };
  }
}

/** Posts the result of the page's work to `/verdict`, or its failure. */
export async function postVerdict(work: () => Promise<unknown>): Promise<void> {
  let report: string;
  try {
    report = JSON.stringify(await work());
  } catch (error) {
    report = JSON.stringify({ failure: error instanceof Error ? `${error.stack}` : String(error) });
  }
  await fetch('/verdict', { method: 'POST', body: report });
}

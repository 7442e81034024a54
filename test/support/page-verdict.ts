// Runs in a browser.

/** What a page sees of where it runs. */
export interface Surroundings {
  /** Whether the page may make code out of text; its policy forbids that. */
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

/** Posts what the page's work found as `/verdict`, or how it failed. */
export async function postVerdict(work: () => Promise<unknown>): Promise<void> {
  let report: string;
  try {
    report = JSON.stringify(await work());
  } catch (error) {
    report = JSON.stringify({ failure: error instanceof Error ? `${error.stack}` : String(error) });
  }
  await fetch('/verdict', { method: 'POST', body: report });
}

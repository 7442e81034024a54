import { before, test } from 'node:test';

/** Imports test files, whose tests then run one after the other; a file that does not load is a failed test. */
export async function importTests(urls) {
  let onImported;
  const imported = new Promise((resolve) => {
    onImported = resolve;
  });
  // Otherwise the tests of the first files run while later ones are compiled, which stalls them.
  before(() => imported);
  for (const url of urls) {
    try {
      await import(url);
    } catch (error) {
      test(`${url} loads`, () => {
        throw error;
      });
    }
  }
  onImported();
}

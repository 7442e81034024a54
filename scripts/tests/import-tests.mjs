import { test } from 'node:test';

/** Imports test files, whose tests then run one after the other; a file that does not load is a failed test. */
export async function importTests(urls) {
  for (const url of urls) {
    try {
      await import(url);
    } catch (error) {
      test(`${url} loads`, () => {
        throw error;
      });
    }
  }
}

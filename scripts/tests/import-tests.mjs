import { test } from 'node:test';

/** Imports test files, whose tests then run one after the other; a file that does not load is a failed test. */
export async function importTests(base, paths) {
  for (const path of paths) {
    try {
      await import(new URL(path, base).href);
    } catch (error) {
      test(`${path} loads`, () => {
        throw error;
      });
    }
  }
}

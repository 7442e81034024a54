import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/config/package-info.js';

interface Architecture {
  readonly threads: readonly {
    readonly name: string;
    /** The file that the thread runs, from the root of the repository. */
    readonly entry: string;
    /** The variable that holds its worker pool; absent for single threads. */
    readonly pool?: string;
  }[];
  /** Lowest first; folders and files in `src/`, each with a description. */
  readonly layers: readonly { readonly name: string; readonly folders: Readonly<Record<string, string>> }[];
}

/** The source of the architecture picture, the tables in the docs and the layer test. */
export const architecture = JSON.parse(
  readFileSync(join(packageRoot(), 'docs', 'architecture.json'), 'utf8'),
) as Architecture;

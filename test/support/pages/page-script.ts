import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../../src/config/package-info.js';
import { removeDirectory, temporaryDirectory } from '../nodes/node-process.js';

export interface CheckResult {
  readonly status: number | null;
  readonly stderr: string;
}

/** Checks a page of this checkout with the script that writes it. */
export function checkPage(script: string, folder: string = packageRoot()): CheckResult {
  return spawnSync(process.execPath, [join(folder, script), '--check'], { encoding: 'utf8' });
}

/** A copy of a script that writes a page, with the sources that it reads, to see what it says about changed ones. */
export class PageScriptCopy {
  readonly #script: string;
  readonly #folder = temporaryDirectory();

  /**
   * @param script its path from the root of the checkout
   * @param others paths of all that it needs, files and folders
   */
  constructor(script: string, others: readonly string[]) {
    this.#script = script;
    for (const path of [script, ...others]) {
      mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
      cpSync(join(packageRoot(), path), join(this.#folder, path), { recursive: true });
    }
  }

  /** Checks the page after a change of one source, which is then undone. */
  checkChanged(path: string, from: string, to: string): CheckResult {
    const file = join(this.#folder, path);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${path} does not contain ${from}`);
    writeFileSync(file, text.replace(from, to));
    const result = checkPage(this.#script, this.#folder);
    writeFileSync(file, text);
    return result;
  }

  remove(): void {
    removeDirectory(this.#folder);
  }
}

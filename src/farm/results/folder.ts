import { createHash, type Hash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors.js';
import { checkCompression } from './compression.js';
import { FileTarget, PART_NAME } from './file-target.js';
import { MANIFEST_NAME, type Manifest, readManifest, writeManifest } from './manifest.js';
import { openTarget } from './open-target.js';
import type { ResultForm, ResultWriter } from './result-writer.js';
import { ResultsError, unwritable } from './result-writer.js';

const ENDINGS = { none: '', gzip: '.gz', zstd: '.zst' } as const;

interface OpenFile {
  readonly name: string;
  readonly target: FileTarget;
  readonly writer: ResultWriter;
  readonly hash: Hash;
  lines: number;
}

/** Name of a folder's file, such as `results-00001.ndjson.gz`. */
export function fileName({ format, compress }: Omit<ResultForm, 'kind'>, place: number): string {
  const ending = format === 'parquet' ? '' : ENDINGS[compress];
  return `results-${String(place + 1).padStart(5, '0')}.${format}${ending}`;
}

/** Writes files of equal numbers of lines, and lists each in the manifest once it is complete. */
export class FolderWriter implements ResultWriter {
  readonly #folder: string;
  #manifest: Manifest;
  #file: OpenFile | undefined;
  #failure: { readonly reason: unknown } | undefined;

  constructor(folder: string, manifest: Manifest) {
    this.#folder = folder;
    this.#manifest = manifest;
  }

  write(lines: readonly string[]): Promise<void> {
    return this.#guard(async () => {
      const { complete, lines_per_file: limit } = this.#manifest;
      if (complete && lines.length > 0) {
        throw new ResultsError('other_results', `${this.#folder} is complete: expected no more results`);
      }
      for (let at = 0; at < lines.length; ) {
        this.#file ??= await this.#open();
        const some = lines.slice(at, at + limit - this.#file.lines);
        await this.#file.writer.write(some);
        for (const line of some) this.#file.hash.update(line).update('\n');
        this.#file.lines += some.length;
        at += some.length;
        if (this.#file.lines === limit) await this.#complete(this.#file);
      }
    });
  }

  close(): Promise<void> {
    return this.#guard(async () => {
      if (this.#file !== undefined) await this.#complete(this.#file);
      if (!this.#manifest.complete) await this.#save({ ...this.#manifest, complete: true });
    });
  }

  async abort(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.writer.abort();
  }

  async #open(): Promise<OpenFile> {
    const name = fileName(this.#manifest, this.#manifest.files.length);
    const target = await FileTarget.create(join(this.#folder, name));
    try {
      const writer = await openTarget(target, this.#manifest);
      return { name, target, writer, hash: createHash('sha256'), lines: 0 };
    } catch (error) {
      await target.abort();
      throw error;
    }
  }

  async #complete({ name, target, writer, hash, lines }: OpenFile): Promise<void> {
    await writer.close();
    this.#file = undefined;
    const file = { name, lines, bytes: target.bytes, sha256: hash.digest('hex') };
    const { files, lines: before } = this.#manifest;
    await this.#save({ ...this.#manifest, lines: before + lines, files: [...files, file] });
  }

  async #save(manifest: Manifest): Promise<void> {
    await writeManifest(this.#folder, manifest);
    this.#manifest = manifest;
  }

  /** After a failure the open file has a gap, so it must never become complete. */
  async #guard(action: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.reason;
    try {
      await action();
    } catch (error) {
      this.#failure = { reason: error };
      throw error;
    }
  }
}

export interface FolderOptions extends ResultForm {
  /** Names the run. A folder holds the results of one run only. */
  readonly run: string;
  /** Number of lines after which a new file begins. */
  readonly linesPerFile: number;
}

/**
 * Opens or creates a folder for the results of a run. Files that an earlier command completed stay.
 * @returns the number of leading results that the folder holds already, and the writer of the others
 * @throws ResultsError
 */
export async function openFolder(
  folder: string,
  options: FolderOptions,
): Promise<{ readonly skipLines: number; readonly writer: ResultWriter }> {
  checkCompression(options.compress);
  const { run, kind, format, compress, linesPerFile } = options;
  const fresh: Manifest = {
    version: 1,
    run,
    kind,
    format,
    compress,
    lines_per_file: linesPerFile,
    complete: false,
    lines: 0,
    files: [],
  };
  const names = await namesIn(folder);
  const found = await readManifest(folder);
  if (found === undefined) {
    const [foreign] = names.filter((name) => name.startsWith('results-') && !PART_NAME.test(name));
    if (foreign !== undefined) {
      throw new ResultsError(
        'other_results',
        `${folder} has ${foreign}, but no ${MANIFEST_NAME} that says where it comes from: choose another folder`,
      );
    }
  } else {
    checkSame(folder, found, fresh);
    await checkFiles(folder, found);
  }
  try {
    for (const name of names) if (PART_NAME.test(name)) await rm(join(folder, name), { force: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
  const manifest = found ?? fresh;
  if (found === undefined) await writeManifest(folder, manifest);
  return { skipLines: manifest.lines, writer: new FolderWriter(folder, manifest) };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true });
    return await readdir(folder);
  } catch (error) {
    const message = `cannot open the folder ${folder}: ${errorMessage(error)}`;
    throw new ResultsError('unwritable', message, { cause: error });
  }
}

/** Members that must stay as they are. */
const SETTINGS = ['run', 'kind', 'format', 'compress', 'lines_per_file'] as const;

function checkSame(folder: string, found: Manifest, wanted: Manifest): void {
  for (const name of SETTINGS) {
    if (found[name] === wanted[name]) continue;
    throw new ResultsError(
      'other_results',
      `${folder} holds results with ${name.replaceAll('_', ' ')} ${found[name]}, not ${wanted[name]}: ask for the same to continue it, or choose another folder`,
    );
  }
}

/** Checks the listed files by their names and sizes; reading them all would take too long. */
async function checkFiles(folder: string, manifest: Manifest): Promise<void> {
  const { files, lines, lines_per_file, complete } = manifest;
  const broken = (problem: string, cause?: unknown) =>
    new ResultsError('damaged', `${folder}: ${problem}: restore the folder, or start again in another one`, {
      cause,
    });
  let sum = 0;
  for (const [place, file] of files.entries()) {
    const isLast = place === files.length - 1;
    sum += file.lines;
    if (file.name !== fileName(manifest, place)) throw broken(`${MANIFEST_NAME} lists ${file.name}`);
    if (file.lines !== lines_per_file && !(complete && isLast && file.lines < lines_per_file)) {
      throw broken(`${MANIFEST_NAME} says that ${file.name} has ${file.lines} lines`);
    }
    let size: number;
    try {
      size = (await stat(join(folder, file.name))).size;
    } catch (error) {
      throw broken(errorMessage(error), error);
    }
    if (size !== file.bytes)
      throw broken(`${file.name} has ${size} bytes, it was written with ${file.bytes}`);
  }
  if (sum !== lines) throw broken(`${MANIFEST_NAME} says ${lines} lines, its files have ${sum}`);
}

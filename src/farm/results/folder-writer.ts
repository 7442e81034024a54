import { createHash, type Hash } from 'node:crypto';
import { join } from 'node:path';
import { FileTarget } from './file-target.js';
import { type Manifest, writeManifest } from './manifest.js';
import { openTarget } from './open-target.js';
import type { ResultForm, ResultWriter } from './result-writer.js';
import { ResultsError } from './results-error.js';

const ENDINGS = { none: '', gzip: '.gz', zstd: '.zst' } as const;

/** A file that is being written. */
interface OpenFile {
  readonly name: string;
  readonly target: FileTarget;
  readonly writer: ResultWriter;
  readonly hash: Hash;
  lines: number;
}

/** Name of a folder's file, such as `results-00001.ndjson.gz`. */
export function fileName(
  { format, compress }: Pick<ResultForm, 'format' | 'compress'>,
  place: number,
): string {
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

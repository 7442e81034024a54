import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { errorMessage, hasCode } from '../../base/errors.js';
import { replaceFile } from '../../storage/replace-file.js';
import { partPath } from './file-target.js';
import { ResultsError, unwritable } from './result-writer.js';

export const MANIFEST_NAME = 'results.json';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const fileSchema = v.object({
  name: v.string(),
  lines: positive,
  bytes: count,
  /** Of the lines before compression, each with a newline after it. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

const manifestSchema = v.object({
  version: v.literal(1),
  run: v.string(),
  kind: v.picklist(['calls', 'traces']),
  format: v.picklist(['ndjson', 'parquet']),
  compress: v.picklist(['none', 'gzip', 'zstd']),
  /** Number of lines in every file but the last. */
  lines_per_file: positive,
  /** True once all results of the run are in the folder. */
  complete: v.boolean(),
  /** Number of lines in all files. */
  lines: count,
  /** The complete files, in order. */
  files: v.array(fileSchema),
});

/** What a folder of results holds. */
export type Manifest = Readonly<v.InferOutput<typeof manifestSchema>>;

/** Reads the manifest of a folder; undefined if it has none. @throws ResultsError */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, MANIFEST_NAME);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new ResultsError('damaged', `cannot read ${path}: ${errorMessage(error)}`, { cause: error });
  }
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue);
  throw new ResultsError(
    'damaged',
    `${path} is not a manifest of results: ${place === null ? '' : `${place}: `}${issue.message}; choose another folder`,
  );
}

/** Replaces the manifest atomically. @throws ResultsError */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST_NAME);
  try {
    await replaceFile(path, `${JSON.stringify(manifest, undefined, 2)}\n`, partPath(path), 0o644);
  } catch (error) {
    throw unwritable(path, error);
  }
}

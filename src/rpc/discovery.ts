import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../config/package-info.js';
import type { Manifest } from '../idl/manifest.js';
import { PublishedDocument } from './http/published-document.js';

/** The files of the published interface, in reading order. */
const IDL_FILES = ['ledger.idl', 'node_rpc_v1.idl'] as const;

/** Limits that clients must respect, by name, as listed in the manifest. */
export type PublishedLimits = Readonly<Record<string, number>>;

export interface DiscoveryParts {
  /** The complete interface as self-contained IDL text. */
  readonly idl: string;
  readonly manifest: Manifest;
  readonly limits: PublishedLimits;
}

/** The published documents about the node's interface. */
export class Discovery {
  readonly idl: PublishedDocument;
  readonly manifest: PublishedDocument;

  constructor({ idl, manifest, limits }: DiscoveryParts) {
    this.idl = new PublishedDocument('text/plain; charset=utf-8', idl);
    this.manifest = new PublishedDocument('application/json', JSON.stringify({ ...manifest, limits }));
  }
}

/** Reads the text of the node's interface from the package's `idl/` folder. */
export async function readInterfaceText(): Promise<string> {
  const directory = join(packageRoot(), 'idl');
  const texts = await Promise.all(IDL_FILES.map((file) => readFile(join(directory, file), 'utf8')));
  return texts.map((text) => `${text.trimEnd()}\n`).join('\n');
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../config/package-info.js';
import type { Manifest } from '../idl/manifest.js';
import { PublishedDocument } from './http/published-document.js';

/** The files that make up the published interface, in the order in which one can read them. */
const IDL_FILES = ['ledger.idl', 'node_rpc_v1.idl'] as const;

/** Numbers that a client has to keep to, by name, as the manifest lists them. */
export type PublishedLimits = Readonly<Record<string, number>>;

export interface DiscoveryParts {
  /** The whole interface as IDL text that stands alone. */
  readonly idl: string;
  readonly manifest: Manifest;
  readonly limits: PublishedLimits;
}

/** What the node publishes of its interface. */
export class Discovery {
  readonly idl: PublishedDocument;
  readonly manifest: PublishedDocument;

  constructor({ idl, manifest, limits }: DiscoveryParts) {
    this.idl = new PublishedDocument('text/plain; charset=utf-8', idl);
    this.manifest = new PublishedDocument('application/json', JSON.stringify({ ...manifest, limits }));
  }
}

/** The text of the node's interface, from the package's own `idl/` files. */
export async function readInterfaceText(): Promise<string> {
  const directory = join(packageRoot(), 'idl');
  const texts = await Promise.all(IDL_FILES.map((file) => readFile(join(directory, file), 'utf8')));
  return texts.map((text) => `${text.trimEnd()}\n`).join('\n');
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot, packageVersion } from '../config/package-info.js';
import { JsonDecodeError } from '../idl/codecs/codec-errors.js';
import type { Manifest } from '../idl/manifest.js';
import { PublishedDocument } from './http/published-document.js';
import { openRpcDocument } from './openrpc.js';
import type { BoundInterface, MethodDeclaration } from './rpc-interface.js';

/** The files of the published interface, in reading order. */
const IDL_FILES = ['ledger.idl', 'node_rpc_v1.idl'] as const;

/** Limits that clients must respect, by name, as listed in the manifest. */
export type PublishedLimits = Readonly<Record<string, number>>;

export interface DiscoveryParts {
  /** The complete interface as self-contained IDL text. */
  readonly idl: string;
  readonly manifest: Manifest;
  readonly limits: PublishedLimits;
  /** URL of the RPC path on this machine; called once the server listens. */
  readonly rpcUrl: () => string;
}

/** The published documents about the node's interface. */
export class Discovery {
  readonly idl: PublishedDocument;
  readonly manifest: PublishedDocument;
  readonly #parts: DiscoveryParts;
  #openRpcText: string | undefined;
  #openRpc: PublishedDocument | undefined;

  constructor(parts: DiscoveryParts) {
    const { idl, manifest, limits } = parts;
    this.#parts = parts;
    this.idl = new PublishedDocument('text/plain; charset=utf-8', idl);
    this.manifest = new PublishedDocument('application/json', JSON.stringify({ ...manifest, limits }));
  }

  /** The OpenRPC document, created with the first request for it. */
  get openRpc(): PublishedDocument {
    this.#openRpc ??= new PublishedDocument('application/json', this.openRpcText);
    return this.#openRpc;
  }

  /** The OpenRPC document as JSON text. */
  get openRpcText(): string {
    if (this.#openRpcText === undefined) {
      const { manifest, rpcUrl } = this.#parts;
      this.#openRpcText = JSON.stringify(
        openRpcDocument({ manifest, version: packageVersion(), url: rpcUrl() }),
      );
    }
    return this.#openRpcText;
  }
}

/** The method `rpc.discover` of the OpenRPC specification, which belongs to no declared interface. */
export function discoverInterface(discovery: Discovery): BoundInterface {
  const name = 'rpc.discover';
  const declaration: MethodDeclaration = {
    name,
    qualifiedName: name,
    tier: 'public',
    cost: 1,
    isImmutable: false,
    decodeParams(params: unknown): null {
      // Some tools send an empty list.
      const isEmpty = typeof params !== 'object' || params === null || Object.keys(params).length === 0;
      if (params === undefined || (typeof params === 'object' && isEmpty)) return null;
      throw new JsonDecodeError('wrong_value', 'params', 'no parameters', 'some');
    },
    encodeResult: (text: unknown) => text as string,
  };
  return { methods: [{ declaration, handler: () => discovery.openRpcText, takesRawParams: false }] };
}

/** Reads the text of the node's interface from the package's `idl/` folder. */
export async function readInterfaceText(): Promise<string> {
  const directory = join(packageRoot(), 'idl');
  const texts = await Promise.all(IDL_FILES.map((file) => readFile(join(directory, file), 'utf8')));
  return texts.map((text) => `${text.trimEnd()}\n`).join('\n');
}

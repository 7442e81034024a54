import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot, packageVersion } from '../config/package-info.js';
import { JsonDecodeError } from '../idl/codecs/codec-errors.js';
import type { Manifest } from '../idl/manifest.js';
import { PublishedDocument } from './http/published-document.js';
import { openRpcDocument } from './openrpc.js';
import type { BoundInterface, MethodDeclaration } from './rpc-interface.js';

/** The published interfaces; the text of each includes `ledger.idl`. */
export type InterfaceName = 'node_rpc_v1' | 'dev_v1';

/** Limits that clients must respect, by name, as listed in the manifest. */
export type PublishedLimits = Readonly<Record<string, number>>;

export interface DiscoveryParts {
  /** The complete interface as self-contained IDL text. */
  readonly idl: string;
  readonly manifest: Manifest;
  readonly limits: PublishedLimits;
  /** Interfaces beside the node's; none if absent. */
  readonly others?: readonly OtherInterface[];
  /** URL of the RPC path on this machine; called once the server listens. */
  readonly rpcUrl: () => string;
}

export interface OtherInterface {
  readonly name: InterfaceName;
  readonly idl: string;
  readonly manifest: Manifest;
  readonly isServed: () => boolean;
}

export interface InterfaceDocuments {
  readonly name: InterfaceName;
  readonly idl: PublishedDocument;
  readonly manifest: PublishedDocument;
  readonly isServed: () => boolean;
}

export class Discovery {
  readonly idl: PublishedDocument;
  readonly manifest: PublishedDocument;
  readonly others: readonly InterfaceDocuments[];
  readonly #parts: DiscoveryParts;
  #openRpcText: string | undefined;
  #openRpc: PublishedDocument | undefined;

  constructor(parts: DiscoveryParts) {
    const { limits, others = [] } = parts;
    this.#parts = parts;
    const { idl, manifest } = documentsOf(parts, limits);
    this.idl = idl;
    this.manifest = manifest;
    this.others = others.map((other) => ({ ...other, ...documentsOf(other, limits) }));
  }

  get openRpc(): PublishedDocument {
    this.#openRpc ??= new PublishedDocument('application/json', this.openRpcText);
    return this.#openRpc;
  }

  get openRpcText(): string {
    const { manifest, rpcUrl } = this.#parts;
    this.#openRpcText ??= JSON.stringify(
      openRpcDocument({ manifest, version: packageVersion(), url: rpcUrl() }),
    );
    return this.#openRpcText;
  }
}

function documentsOf({ idl, manifest }: Pick<DiscoveryParts, 'idl' | 'manifest'>, limits: PublishedLimits) {
  return {
    idl: new PublishedDocument('text/plain; charset=utf-8', idl),
    manifest: new PublishedDocument('application/json', JSON.stringify({ ...manifest, limits })),
  };
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
  return [{ declaration, handler: () => discovery.openRpcText, takesRawParams: false }];
}

export type InterfaceTexts = Readonly<Record<InterfaceName, string>>;

export async function readInterfaceTexts(): Promise<InterfaceTexts> {
  const [node, dev] = await Promise.all([readInterfaceText('node_rpc_v1'), readInterfaceText('dev_v1')]);
  return { node_rpc_v1: node, dev_v1: dev };
}

async function readInterfaceText(name: InterfaceName): Promise<string> {
  const directory = join(packageRoot(), 'idl');
  const files = ['ledger.idl', `${name}.idl`];
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  return texts.map((text) => `${text.trimEnd()}\n`).join('\n');
}

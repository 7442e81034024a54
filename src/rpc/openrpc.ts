import { JsonSchemas } from '../idl/generators/json-schema.js';
import type { FieldDefinition, Manifest, MethodDefinition } from '../idl/manifest.js';
import { RPC_ERROR_MEANINGS, RPC_ERRORS, type RpcErrorKind } from './errors.js';

/** The newest version of the OpenRPC specification that its meta-schema accepts. */
const OPENRPC_VERSION = '1.3.2';

/** Errors that occur before the method is known. */
const WITHOUT_METHOD: ReadonlySet<string> = new Set<RpcErrorKind>([
  'parse_error',
  'invalid_request',
  'method_not_found',
  'ambiguous_method',
]);

const DESCRIPTION = `JSON-RPC 2.0 over HTTP. Parameters are given by name. A method can also be called by its qualified \
name, such as \`NodeRpcV1.status\`.

\`x-tier\` says who may call a method: \`public\`, \`paid\` or \`admin\`; the tiers of an access token include each other in \
this order. \`x-cost\` is the base price of a call in compute units; its gas and its bytes cost one more for each \
\`unit_gas\` and \`unit_bytes\` of the manifest's limits. \`x-once\` marks a method whose second call has another \
effect: do not repeat a call that may have arrived. \`x-immutable\` marks a method whose result for a block or \
transaction that is final never changes. \`x-since\` is the version that introduced a declaration.

Schemas whose names end with \`Input\` describe the forms that the node accepts; it writes only those of the schema \
without the ending.`;

export interface OpenRpcOptions {
  readonly manifest: Manifest;
  readonly version: string;
  /** Absolute URL of the RPC path: OpenRPC allows a relative one, but its meta-schema does not. */
  readonly url: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Describes the methods of a manifest as an OpenRPC document (https://spec.open-rpc.org, version 1.3.2). Deterministic. */
export function openRpcDocument({ manifest, version, url }: OpenRpcOptions): JsonObject {
  const schemas = new JsonSchemas(manifest, '#/components/schemas/');
  const { host, pathname } = new URL(url);
  const kinds = Object.keys(RPC_ERRORS) as readonly RpcErrorKind[];
  const errors = kinds
    .filter((kind) => !WITHOUT_METHOD.has(kind))
    .map((kind) => ({ $ref: `#/components/errors/${kind}` }));
  const methods = manifest.interfaces.flatMap((definition) =>
    definition.methods.map((method) => {
      const isAmbiguous = manifest.interfaces.some(
        (other) => other !== definition && other.methods.some(({ name }) => name === method.name),
      );
      const name = isAmbiguous ? `${definition.name}.${method.name}` : method.name;
      return { name, ...methodObject(method, schemas), errors };
    }),
  );
  return {
    openrpc: OPENRPC_VERSION,
    info: {
      title: 'Heddle node API',
      description: DESCRIPTION,
      version,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [
      {
        name: host,
        url,
        description: `A node on this machine. On any other, calls go to POST ${pathname} at the address that served this document.`,
        'x-path': pathname,
      },
    ],
    methods,
    components: {
      schemas: schemas.components,
      errors: Object.fromEntries(kinds.map((kind) => [kind, errorObject(kind)])),
    },
  };
}

function methodObject(method: MethodDefinition, schemas: JsonSchemas): JsonObject {
  const { doc, params, returns, tier, cost, since, deprecated, once, immutable } = method;
  const fields = schemas.soleStruct(params)?.fields ?? params;
  const summary = firstSentence(doc ?? '');
  return {
    ...(summary !== '' && { summary }),
    ...(doc !== undefined && { description: doc }),
    paramStructure: 'by-name',
    params: byNeed(fields).map((field) => paramObject(field, schemas)),
    result: { name: 'result', required: true, schema: schemas.result(returns) },
    ...(deprecated !== undefined && { deprecated: true, 'x-deprecated': deprecated }),
    'x-tier': tier,
    'x-cost': cost,
    ...(once === true && { 'x-once': true }),
    ...(immutable === true && { 'x-immutable': true }),
    ...(since !== undefined && { 'x-since': since }),
  };
}

/** OpenRPC requires optional parameters to follow the others. */
function byNeed(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  const isOptional = ({ optional }: FieldDefinition): boolean => optional === true;
  return [...fields.filter((field) => !isOptional(field)), ...fields.filter(isOptional)];
}

function paramObject(field: FieldDefinition, schemas: JsonSchemas): JsonObject {
  const { name, doc, optional, deprecated, since } = field;
  return {
    name,
    ...(doc !== undefined && { description: doc }),
    required: optional !== true,
    schema: schemas.param(field),
    ...(deprecated !== undefined && { deprecated: true, 'x-deprecated': deprecated }),
    ...(since !== undefined && { 'x-since': since }),
  };
}

function errorObject(kind: RpcErrorKind): JsonObject {
  const { code, retryable, httpStatus } = RPC_ERRORS[kind];
  // OpenRPC allows no extensions in error objects.
  return { code, message: RPC_ERROR_MEANINGS[kind], data: { kind, retryable, http_status: httpStatus } };
}

function firstSentence(doc: string): string {
  return (/^[\s\S]*?[.!?](?=\s|$)/.exec(doc)?.[0] ?? doc).replace(/\s*\n\s*/g, ' ');
}

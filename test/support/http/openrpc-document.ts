import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';

// Loaded without their types: one package declares others than it exports, another ships sources that do not compile here.
const require = createRequire(import.meta.url);
const { openrpcDocument: metaSchema } = require('@open-rpc/meta-schema') as {
  readonly openrpcDocument: Readonly<Record<string, unknown>>;
};
const { default: schemaMetaSchema } = require('@json-schema-tools/meta-schema') as {
  readonly default: object;
};
const { parseOpenRPCDocument } = require('@open-rpc/schema-utils-js') as {
  readonly parseOpenRPCDocument: (text: string) => Promise<OpenRpcDocument>;
};

/** The members of an OpenRPC document that tests look at. */
export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string; readonly 'x-path'?: string }[];
  readonly methods: readonly OpenRpcMethod[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly errors: Readonly<Record<string, { readonly code: number; readonly message: string }>>;
  };
}

export interface OpenRpcMethod {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly paramStructure: string;
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: object }[];
  readonly result: { readonly name: string; readonly schema: object };
  readonly [extension: `x-${string}`]: unknown;
}

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
/** The name under which OpenRPC's meta-schema refers to that of JSON Schema. */
const SCHEMA_ID = 'https://meta.json-schema.tools';

/** Loads a document as OpenRPC tools do, with each reference replaced by its target. @throws Error if they refuse it */
export function dereferenced(document: OpenRpcDocument): Promise<OpenRpcDocument> {
  return parseOpenRPCDocument(JSON.stringify(document));
}

/** Problems of a document under the OpenRPC meta-schema; empty if there are none. */
export function problemsOf(document: unknown): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { uri: (text) => URL.canParse(text) } });
  ajv.addSchema({ ...schemaMetaSchema, $schema: DRAFT_7, $id: SCHEMA_ID });
  // Ajv cannot resolve a reference to the member "$ref" of another schema.
  const text = JSON.stringify(metaSchema).replaceAll(
    `"$ref":"${SCHEMA_ID}/#/definitions/JSONSchemaObject/properties/$ref"`,
    '"type":"string"',
  );
  const validate = ajv.compile({ ...(JSON.parse(text) as object), $schema: DRAFT_7 });
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
}

/** Checks values against the schemas of an OpenRPC document, which must be valid for draft 7. */
export class DocumentSchemas {
  readonly #ajv: Ajv;
  readonly #validators = new Map<string, ValidateFunction>();
  readonly document: OpenRpcDocument;

  constructor(document: OpenRpcDocument) {
    this.document = document;
    // Strict apart from extensions and constraints of a member's alternatives.
    this.#ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, inlineRefs: false });
    this.#ajv.addVocabulary(['x-since', 'components']);
    this.#ajv.addSchema({ $id: 'document', components: document.components });
  }

  /** @returns the problems of a value, or undefined if it matches the schema */
  problems(schema: object, value: unknown): string | undefined {
    const key = JSON.stringify(schema);
    let validate = this.#validators.get(key);
    if (validate === undefined) {
      validate = this.#ajv.compile(JSON.parse(key.replaceAll('"#/', '"document#/')) as object);
      this.#validators.set(key, validate);
    }
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors);
  }

  method(name: string): OpenRpcMethod {
    const method = this.document.methods.find((each) => each.name === name);
    if (method === undefined) throw new Error(`the document has no method ${name}`);
    return method;
  }

  problemsOfResult(name: string, result: unknown): string | undefined {
    return this.problems(this.method(name).result.schema, result);
  }

  problemsOfParams(name: string, params: unknown): string | undefined {
    const { params: descriptors } = this.method(name);
    const schema = {
      type: 'object',
      properties: Object.fromEntries(descriptors.map((each) => [each.name, each.schema])),
      required: descriptors.filter(({ required }) => required).map((each) => each.name),
      additionalProperties: false,
    };
    return this.problems(schema, params);
  }
}

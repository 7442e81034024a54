import type { AliasDefinition, EnumDefinition, StructDefinition, TypeReference } from '../manifest.js';

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/**
 * Checks that every part of a definition that is copied into generated code is a plain name or number. The IDL's
 * grammar ensures that, but a manifest read from JSON may hold anything.
 * @throws Error
 */
export function assertPlainDefinition(definition: StructDefinition | EnumDefinition | AliasDefinition): void {
  if ('fields' in definition) {
    for (const { name, type, max } of definition.fields) {
      assertIdentifier(name);
      assertPlainType(type);
      assertLimit(max);
    }
  } else if ('variants' in definition) {
    for (const { tag, payload } of definition.variants) {
      assertIdentifier(tag);
      if (payload !== undefined) assertPlainType(payload);
    }
  } else {
    assertPlainType(definition.type);
    assertLimit(definition.max);
  }
}

/** @throws Error */
export function assertPlainType(type: TypeReference): void {
  let at = type;
  while (typeof at !== 'string') {
    if ('list' in at) assertLimit(at.length);
    at = 'option' in at ? at.option : at.list;
  }
  assertIdentifier(at);
}

function assertIdentifier(name: unknown): void {
  if (typeof name !== 'string' || !IDENTIFIER.test(name) || name in Object.prototype) {
    throw new Error(`expected a name in the manifest, got ${JSON.stringify(name)}`);
  }
}

function assertLimit(limit: unknown): void {
  if (
    limit !== undefined &&
    !(Number.isInteger(limit) && Number(limit) >= 0 && Number(limit) <= 0xffff_ffff)
  ) {
    throw new Error(`expected a length in the manifest, got ${JSON.stringify(limit)}`);
  }
}

/**
 * The manifest: the declarations of an IDL unit as a plain object that survives JSON. The node publishes it, and all
 * codecs, type declarations and documents are generated from it. Names are resolved and checked. Declarations keep
 * their order in the texts.
 */
export interface Manifest {
  /** Version of this format, raised by incompatible changes. */
  readonly manifest_version: 1;
  readonly interfaces: readonly InterfaceDefinition[];
  readonly contracts: readonly ContractDefinition[];
  readonly structs: readonly StructDefinition[];
  readonly enums: readonly EnumDefinition[];
  readonly aliases: readonly AliasDefinition[];
}

/**
 * A type, in a form that tools can walk:
 * - a string: a primitive (`bool u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 string bytes bytes1…bytes65535 address hash
 *   json`) or the name of a struct, enum or alias;
 * - `{"list": T}` or, of fixed length, `{"list": T, "length": n}`;
 * - `{"option": T}`: a value or nothing.
 */
export type TypeReference = string | ListReference | OptionReference;

export interface ListReference {
  readonly list: TypeReference;
  /** Exact number of items; any number if absent. */
  readonly length?: number;
}

export interface OptionReference {
  readonly option: TypeReference;
}

/** Who may call a method. */
export type Tier = 'public' | 'paid' | 'admin';

/** Common members of all declarations. */
export interface Documented {
  readonly name: string;
  /** The doc comment; lines are separated by `\n`. */
  readonly doc?: string;
  /** The version that introduced the declaration. */
  readonly since?: string;
  /** The replacement to use. */
  readonly deprecated?: string;
}

export interface InterfaceDefinition extends Documented {
  readonly methods: readonly MethodDefinition[];
}

export interface MethodDefinition extends Documented {
  readonly params: readonly FieldDefinition[];
  /** Absent if the result is null. */
  readonly returns?: TypeReference;
  readonly tier: Tier;
  /** Compute units that a call charges. */
  readonly cost: number;
  /** True if the method is not idempotent: clients do not repeat a call that may have arrived. */
  readonly once?: true;
  /** True if a result may be cached once the block or transaction that its parameters name is final. */
  readonly immutable?: true;
}

/** A member of a struct or a parameter. */
export interface FieldDefinition extends Documented {
  /** The type, without the option that `optional` adds. */
  readonly type: TypeReference;
  readonly optional?: true;
  /** Maximum items of a list, bytes of `bytes`, or UTF-8 bytes of a string. */
  readonly max?: number;
}

export interface StructDefinition extends Documented {
  readonly fields: readonly FieldDefinition[];
}

/** In JSON `{"type": tag, "value": payload}`; in Borsh the variant's index as one byte, then the payload. */
export interface EnumDefinition extends Documented {
  readonly variants: readonly VariantDefinition[];
}

export interface VariantDefinition extends Documented {
  /** The name in snake_case, used in JSON. */
  readonly tag: string;
  /** Absent if the variant has no payload. */
  readonly payload?: TypeReference;
}

/** Another name for a type; encodings ignore it. */
export interface AliasDefinition extends Documented {
  readonly type: TypeReference;
  readonly max?: number;
}

export interface ContractDefinition extends Documented {
  readonly functions: readonly ContractFunctionDefinition[];
  readonly events: readonly EventDefinition[];
  readonly errors: readonly ErrorDefinition[];
}

export interface ContractFunctionDefinition extends Documented {
  /** A `view` changes no state. */
  readonly kind: 'method' | 'view';
  /** True if the method accepts native balance; generated code rejects it otherwise. */
  readonly payable?: true;
  readonly params: readonly FieldDefinition[];
  readonly returns?: TypeReference;
}

export interface EventDefinition extends Documented {
  readonly fields: readonly EventFieldDefinition[];
}

export interface EventFieldDefinition extends FieldDefinition {
  readonly indexed?: true;
}

export interface ErrorDefinition extends Documented {
  readonly fields: readonly FieldDefinition[];
}

/** A type as the IDL writes it: `Call[]`, `u8[4]`, `address?`. */
export function typeText(type: TypeReference): string {
  if (typeof type === 'string') return type;
  if ('option' in type) return `${typeText(type.option)}?`;
  return `${typeText(type.list)}[${type.length ?? ''}]`;
}

/**
 * The part of the WebAssembly JavaScript interface that the engine uses. Node's types leave it to the DOM library,
 * which would add all browser types.
 */
declare namespace WebAssembly {
  type ValueType = 'i32' | 'i64' | 'anyfunc';

  class Module {
    constructor(bytes: Uint8Array);
    static customSections(module: Module, name: string): ArrayBuffer[];
    static imports(module: Module): { module: string; name: string; kind: string }[];
  }

  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Readonly<Record<string, ExportValue>>;
  }

  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }

  class Global {
    constructor(descriptor: { value: 'i32' | 'i64'; mutable?: boolean }, value?: number | bigint);
    value: number | bigint;
  }

  class Table {
    constructor(descriptor: { element: 'anyfunc'; initial: number; maximum?: number });
    readonly length: number;
    get(index: number): unknown;
  }

  type ExportedFunction = (...args: (number | bigint)[]) => unknown;
  type ExportValue = ExportedFunction | Memory | Global | Table;
  type ImportedFunction = (...args: never[]) => unknown;
  type ModuleImports = Readonly<Record<string, ImportedFunction | Memory | Global | Table>>;
  type Imports = Readonly<Record<string, ModuleImports>>;

  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}

  function validate(bytes: Uint8Array): boolean;
}

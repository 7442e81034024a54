import { toHex } from '../../idl/hex.js';
import type { CodeFacts, PrepareVariant, Program } from '../engine.js';
import { PAGE_BYTES } from './engine-limits.js';
import type { WasmInstance } from './instance.js';
import { GAS_LEFT, purposesOf } from './metered-interface.js';
import { factsOf, namesOf, type PreparedFacts } from './prepared-code.js';

/** Weight of an instance in addition to its memory and its table. */
const INSTANCE_BYTES = 256 * 1024;
const ENTRY_BYTES = 16;

/** A compiled contract in this thread, with its idle instances. */
export class WasmProgram implements Program {
  readonly codeHash: string;
  /** The code hash as bytes. */
  readonly hash: Uint8Array;
  readonly facts: PreparedFacts;
  readonly variant: PrepareVariant;
  readonly machineCode: number;
  readonly onDeploy: CodeFacts['onDeploy'];
  readonly onUpgrade: CodeFacts['onUpgrade'];
  /** Gas charged for entering the contract. */
  readonly instanceGas: bigint;
  /** Weight of the program against the thread's machine code budget: observed code counts double. */
  readonly codeBytes: number;
  /** Weight of one idle instance against the pool's memory limit. */
  readonly instanceBytes: number;
  /** Owned by the instance pool. */
  readonly idle: WasmInstance[] = [];
  /** True once evicted from the cache: its instances are no longer pooled. */
  isRetired = false;
  /** The pool's clock at the last use. */
  lastUsed = 0;
  #seesGas: boolean | undefined;
  #names: ReadonlyMap<number, string> | undefined;

  /** @throws EngineError `unusable_prepared_code` */
  constructor(
    codeHash: Uint8Array,
    readonly module: WebAssembly.Module,
  ) {
    this.codeHash = toHex(codeHash);
    this.hash = Uint8Array.from(codeHash);
    this.facts = factsOf(module);
    this.instanceGas = BigInt(this.facts.instanceGas);
    const { variant, machineCode, initialPages, entries, entryPoints } = this.facts;
    this.variant = variant;
    this.machineCode = machineCode;
    ({ onDeploy: this.onDeploy, onUpgrade: this.onUpgrade } = purposesOf(entryPoints));
    this.codeBytes = machineCode * (variant === 'plain' ? 1 : 2);
    this.instanceBytes = INSTANCE_BYTES + initialPages * PAGE_BYTES + entries * ENTRY_BYTES;
  }

  get seesGas(): boolean {
    this.#seesGas ??= WebAssembly.Module.imports(this.module).some(({ name }) => name === GAS_LEFT);
    return this.#seesGas;
  }

  /** Function names by index in the original module. */
  get names(): ReadonlyMap<number, string> {
    this.#names ??= namesOf(this.module);
    return this.#names;
  }
}

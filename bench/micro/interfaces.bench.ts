/**
 * Cost of compiling the interface texts of strangers, each of up to 64 KiB, beside an ordinary text of that size; and the
 * heap bytes that an interface takes for each byte of its text once codecs of all its parts are built.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sha256 } from '@noble/hashes/sha2.js';
import { AbiError } from '../../src/idl/abi/abi-context.js';
import { type ContractAbi, compileContract } from '../../src/idl/abi/contract-abi.js';
import { BorshError, JsonDecodeError, JsonEncodeError } from '../../src/idl/codecs/codec-errors.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { IdlError } from '../../src/idl/compiler/diagnostics.js';
import { HOSTILE_INTERFACES, ordinaryInterface } from '../../test/support/forged/hostile-interfaces.js';
import { recordFigure } from '../results/record.js';
import { measurePairs } from './paired-tasks.js';

/** Undefined if the text is refused. */
function compiled(text: string): ContractAbi | undefined {
  try {
    return compileContract(compileIdl([{ name: 'contract.idl', text }]).manifest, sha256);
  } catch (error) {
    if (error instanceof IdlError || error instanceof AbiError) return undefined;
    throw error;
  }
}

const texts = Object.entries(HOSTILE_INTERFACES).map(([name, text]) => ({ name, text: text() }));
const ordinary = ordinaryInterface();

const COPIES = 4;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Builds the codecs of all parts. */
function useAll(abi: ContractAbi): void {
  const uses: (() => unknown)[] = [];
  for (const called of abi.functions.values()) {
    uses.push(
      () => called.decodeCall(called.selector),
      () => called.argumentsText(called.selector),
      () => called.resultText(new Uint8Array(0)),
      () => called.decodeResult(new Uint8Array(0)),
      () => called.encodeCall({ a: 1 }),
      () => called.encodeValues({ a: '0x' }),
      () => called.encodeResult([]),
    );
  }
  for (const event of abi.events.values()) {
    const topics = [event.topic, new Uint8Array(32)];
    uses.push(
      () => event.decodeToText(topics, new Uint8Array(0)),
      () => event.decodeValues(topics, new Uint8Array(0)),
      () => event.encode({ a: 1 }),
    );
  }
  for (const error of abi.errors.values())
    uses.push(
      () => error.decode(error.selector),
      () => error.encode({}),
    );
  for (const use of uses) {
    try {
      use();
    } catch (error) {
      const isExpected =
        error instanceof AbiError ||
        error instanceof BorshError ||
        error instanceof JsonDecodeError ||
        error instanceof JsonEncodeError;
      if (!isExpected) throw error;
    }
  }
}

/** Heap bytes for each byte of the text; undefined if it is refused. Nothing refers to the interfaces once it has returned. */
function heapOf(text: string): number | undefined {
  const first = compiled(text);
  if (first === undefined) return undefined;
  // What the engine itself keeps for the code is there before the copies are measured.
  useAll(first);
  const before = heapBytes();
  const abis = Array.from({ length: COPIES }, () => compiled(text)).filter((abi) => abi !== undefined);
  for (const abi of abis) useAll(abi);
  return (heapBytes() - before) / abis.length / text.length;
}

console.log('\nheap bytes for each byte of text');
for (const { name, text } of [...texts, { name: 'an ordinary text', text: ordinary }]) {
  const used = heapOf(text);
  if (used === undefined) continue;
  console.log(`  ${name}: ${used.toFixed(0)}`);
  recordFigure({
    name: `heap of ${name}`,
    unit: 'bytes',
    better: 'lower',
    rounds: [used],
    aim: { of: 'value', at: 'most', bound: 280 },
  });
}

await measurePairs(
  'an interface text compiled',
  'µs',
  texts.map(({ name, text }) => ({
    name,
    run: () => compiled(text),
    floors: [{ name: 'an ordinary text', run: () => compiled(ordinary) }],
    aim: { of: 'ratio', at: 'most', bound: 4 },
  })),
);

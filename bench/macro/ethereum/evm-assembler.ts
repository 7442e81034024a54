/** The instructions that these contracts use, with their opcodes from the Ethereum yellow paper, appendix H. */
const OPCODES: Readonly<Record<string, number>> = {
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  LT: 0x10,
  EQ: 0x14,
  AND: 0x16,
  SHR: 0x1c,
  KECCAK256: 0x20,
  CALLER: 0x33,
  CALLDATALOAD: 0x35,
  POP: 0x50,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMPI: 0x57,
  JUMPDEST: 0x5b,
  PUSH0: 0x5f,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  DUP4: 0x83,
  SWAP1: 0x90,
  LOG3: 0xa3,
  RETURN: 0xf3,
  REVERT: 0xfd,
};

const PUSH0 = 0x5f;
const PUSH2 = 0x61;
const JUMPDEST = 0x5b;

/**
 * Assembles EVM code. Words are separated by white space; `;` begins a comment that goes to the end of its line.
 *
 * - `NAME` is an instruction; `0x…` pushes those bytes, `0x` pushes zero.
 * - `label:` marks a jump target (JUMPDEST); `@label` pushes it, in two bytes.
 */
export function assembleEvm(source: string): Uint8Array {
  const code: number[] = [];
  const labels = new Map<string, number>();
  const uses: { readonly at: number; readonly label: string }[] = [];
  const words = source.split('\n').flatMap((line) => (line.split(';')[0] ?? '').split(/\s+/).filter(Boolean));
  for (const word of words) {
    if (word.endsWith(':')) {
      labels.set(word.slice(0, -1), code.length);
      code.push(JUMPDEST);
    } else if (word.startsWith('@')) {
      uses.push({ at: code.length + 1, label: word.slice(1) });
      code.push(PUSH2, 0, 0);
    } else if (word.startsWith('0x')) {
      const bytes = Buffer.from(word.slice(2), 'hex');
      if (bytes.length * 2 + 2 !== word.length || bytes.length > 32)
        throw new Error(`not up to 32 bytes: ${word}`);
      code.push(PUSH0 + bytes.length, ...bytes);
    } else {
      const opcode = OPCODES[word];
      if (opcode === undefined) throw new Error(`unknown instruction ${word}`);
      code.push(opcode);
    }
  }
  const assembled = Buffer.from(code);
  for (const { at, label } of uses) {
    const target = labels.get(label);
    if (target === undefined) throw new Error(`unknown label ${label}`);
    assembled.writeUInt16BE(target, at);
  }
  return assembled;
}

/**
 * Cost of a host call: a contract that calls one host function many times. Floor: the same loop in a bare instance, with
 * a function that does nothing in place of the host's. State is in memory, so that the figures show the engine's part.
 */
import { bareCall, ContractCalls } from './contract-world.js';
import { measurePairs, type PairedTask } from './paired-tasks.js';

const CALLS = 1_000;

/** @param call instructions that leave nothing on the stack */
const loop = (call: string): string => `loop
    ${call}
    local.get 0; i32.const 1; i32.add; local.tee 0; i32.const ${CALLS}; i32.lt_u; br_if 0
  end; i32.const 0`;

const HOST_CALLS: readonly { readonly name: string; readonly call: string; readonly changes?: true }[] = [
  { name: 'input_size', call: 'call input_size; drop' },
  { name: 'input_read', call: 'i32.const 64; i32.const 0; i32.const 32; call input_read; drop' },
  { name: 'caller', call: 'i32.const 64; call caller' },
  { name: 'storage_read', call: 'i32.const 64; i32.const 128; i32.const 16; call storage_read; drop' },
  {
    name: 'storage_write',
    call: 'i32.const 64; i32.const 128; i32.const 16; call storage_write',
    changes: true,
  },
  { name: 'sha256', call: 'i32.const 64; i32.const 32; i32.const 64; call sha256' },
  { name: 'keccak256', call: 'i32.const 64; i32.const 32; i32.const 64; call keccak256' },
  { name: 'blake3', call: 'i32.const 64; i32.const 32; i32.const 64; call blake3' },
];

const contracts = await ContractCalls.open();
const pairs: readonly PairedTask[] = HOST_CALLS.map(({ name, call, changes }) => {
  const options = { imports: [name], isView: changes !== true };
  return {
    name,
    operations: CALLS,
    run: contracts.calling(loop(call), options),
    floors: [{ name: 'empty function', operations: CALLS, run: bareCall(loop(call), options) }],
  };
});

await measurePairs('host calls', 'ns', pairs);

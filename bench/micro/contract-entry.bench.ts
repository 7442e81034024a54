/**
 * Cost of a call of a contract that does next to nothing, by pages of memory. Floor: the same function called on a bare
 * instance, which neither meters nor resets memory. The aim is under 3 µs for the engine's part.
 */
import { bareCall, ContractCalls } from './contract-world.js';
import { measurePairs, type PairedTask } from './paired-tasks.js';

const NOTHING = 'i32.const 0';
const READ_AND_ANSWER = `i32.const 64; i32.const 0; i32.const 36; call input_read; drop
  i32.const 64; i32.const 128; i32.const 16; call storage_read; drop
  i32.const 128; i32.const 16; call set_output; i32.const 0`;
const VIEW_ANOTHER = 'i32.const 0; i64.const -1; i32.const 0; i32.const 4; call view';

const contracts = await ContractCalls.open();
contracts.deployOther(NOTHING);

const entries: readonly PairedTask[] = [0, 1, 2].map((pages) => ({
  name: `empty view, ${pages * 64} KiB of memory`,
  run: contracts.calling(NOTHING, { pages }),
  floors: [{ name: 'bare instance', run: bareCall(NOTHING, { pages }) }],
  aim: { of: 'value', at: 'most', bound: 3_000 },
}));
const reading = { imports: ['input_read', 'storage_read', 'set_output'] };

await measurePairs('call of a contract', 'ns', [
  ...entries,
  {
    name: 'view that reads its input and a slot and answers',
    run: contracts.calling(READ_AND_ANSWER, reading),
    floors: [{ name: 'bare instance', run: bareCall(READ_AND_ANSWER, reading) }],
  },
  {
    name: 'view that views another contract',
    run: contracts.calling(VIEW_ANOTHER, { imports: ['view'] }),
    floors: [{ name: 'bare instance', run: bareCall(VIEW_ANOTHER, { imports: ['view'] }) }],
  },
]);

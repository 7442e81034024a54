import { setTimeout as pause } from 'node:timers/promises';
import { assemble } from '../contracts/wasm-assembler.js';
import { text } from '../hex.js';
import { type Flood, rpcBody } from './flood.js';

/** Calls after which a front thread has loaded the engine and the contract, and the pause between them. */
const WARM_UP_CALLS = 48;
const WARM_UP_PAUSE_MS = 25;
const CONNECTIONS = 600;
const PROBED_ROUNDS = 2_000;
/** Shares of INLINE_GAS: a call just below the limit, and one that exceeds it at the end. */
const BELOW = 0.97;
const ABOVE = 1.05;

/** Divides as often as bytes 4 to 7 of its input say. Bytes 0 to 3, the selector, may be anything. */
const DIVIDER = assemble({
  imports: ['input_read'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      locals: 'il',
      code: `i32.const 0; i32.const 0; i32.const 8; call input_read; drop
        i32.const 4; i32.load; local.set 0
        i64.const 9223372036854775807; local.set 1
        loop
          local.get 1; i64.const 3; i64.div_u; i64.const 9223372036854775807; i64.or; local.set 1
          local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0
        end
        i32.const 0`,
    },
  ],
});

function inputOf(selector: number, rounds: number): Uint8Array {
  const input = Buffer.alloc(8);
  input.writeUInt32BE(selector, 0);
  input.writeUInt32LE(rounds, 4);
  return input;
}

/**
 * View calls that use as much gas as a call in a front thread may, or a little more. Each has its own selector, so a
 * front thread never learns which methods are expensive.
 */
export const VARIED_VIEWS: Flood = {
  name: 'varied-views',
  attacks: '600 connections make costly calls of ever new methods: the front threads that try them',
  arm: async ({ url }) => {
    // Only this flood needs these modules; a static import would slow the start of every flood's thread.
    const { connect, devAccount } = await import('../../../src/client/client.js');
    const { INLINE_GAS } = await import('../../../src/execution/calls/inline-calls.js');
    const client = connect(url);
    const { address } = (await client.sender(devAccount(3)).deploy({ code: DIVIDER })).contract;
    const gasOf = async (rounds: number): Promise<number> => {
      const { gas_used: gas } = await client.view_call({ contract: address, input: inputOf(0, rounds) });
      return Number(gas);
    };
    const least = await gasOf(1);
    const each = ((await gasOf(PROBED_ROUNDS)) - least) / (PROBED_ROUNDS - 1);
    const [below = 1, above = 1] = [BELOW, ABOVE].map((share) =>
      Math.floor((share * INLINE_GAS - least) / each),
    );
    for (let call = 0; call < WARM_UP_CALLS; call++) {
      await gasOf(1);
      await pause(WARM_UP_PAUSE_MS);
    }
    let selector = 0;
    return (attack) =>
      attack.keepSending(CONNECTIONS, () => {
        selector++;
        const input = text(inputOf(selector, selector % 4 === 0 ? above : below));
        return rpcBody('view_call', { contract: text(address), input });
      });
  },
};

import { HostTrap } from '../activation.js';
import { HOST_LIMITS } from '../engine-limits.js';
import { declare, fact } from './declaration.js';
import { outputLimitTrap } from './frame.js';

const TOPIC_BYTES = 32;

/**
 * Host functions for facts about the enclosing block and for the remaining gas. Unless observed, a contract reads its
 * gas without calling the host.
 */
export const BLOCK_FUNCTIONS = {
  block_height: fact('i64', 40, (call) => call.host.block.height),
  block_timestamp_ms: fact('i64', 40, (call) => call.host.block.timestampMs),
  chain_id: fact('i64', 40, (call) => call.host.block.chainId),
  gas_left: fact('i64', 10, (call) => call.instance.gas),
};

export const EVENT_FUNCTIONS = {
  emit: declare({
    params: ['i32', 'i32', 'i32', 'i32'],
    result: undefined,
    price: {
      base: 3_200,
      perUnit: [
        { parameter: 1, gas: 1_024 },
        { parameter: 3, gas: 32 },
      ],
    },
    bind:
      ({ active, report }) =>
      (topicsPointer, count, pointer, length) => {
        const call = active();
        call.expectMutable('emit');
        if (count >>> 0 > HOST_LIMITS.eventTopics) {
          throw new HostTrap(
            'host_limit',
            `expected at most ${HOST_LIMITS.eventTopics} topics, got ${count >>> 0}`,
          );
        }
        const topics = call.readEach(topicsPointer, count, TOPIC_BYTES);
        const data = call.readLimited('event data', pointer, length, HOST_LIMITS.eventDataBytes);
        if (!call.host.emit(call.frame.contract, topics, data)) throw outputLimitTrap();
        if (call.observer !== undefined) {
          report(call, [topicsPointer, count, pointer, length], { topics, data });
        }
      },
  }),
};

export const LOG_FUNCTIONS = {
  log: declare({
    params: ['i32', 'i32'],
    result: undefined,
    price: { base: 100, perUnit: [{ parameter: 1, gas: 1 }] },
    bind:
      ({ active, report }) =>
      (pointer, length) => {
        const call = active();
        const bytes = call.readLimited('a log text', pointer, length, HOST_LIMITS.logBytes);
        if (call.observer !== undefined) {
          report(call, [pointer, length], { text: new TextDecoder().decode(bytes) });
        }
      },
  }),
};

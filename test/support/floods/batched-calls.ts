import type { Flood } from './flood.js';
import { BURNING_CALL } from './flood-contracts.js';

const CONNECTIONS = 60;
const A_BATCH = 200;

/** Full batches of calls that take seconds each; the calls outnumber the node's places for calls in flight. */
export const BATCHED_VIEWS: Flood = {
  name: 'batched-views',
  attacks: '60 connections send batches of 200 burning calls: the places of calls under way',
  arm: () => {
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'view_call', params: BURNING_CALL });
    const body = Buffer.from(JSON.stringify(Array.from({ length: A_BATCH }, (_, id) => call(id))));
    return (attack) => attack.keepSending(CONNECTIONS, () => body);
  },
};

import { type Flood, rpcBody } from './flood.js';
import { FLOODED_AT, TRIVIAL_CALL } from './flood-contracts.js';

const SLOTS = 38_000;

/** A cheap view whose overrides fill the body. */
export const WIDE_OVERRIDES: Flood = {
  name: 'wide-overrides',
  attacks:
    '20 connections send cheap views with 38,000 overridden slots: decoding, and copies between threads',
  arm: () => {
    const slots = Array.from({ length: SLOTS }, (_, i) => ({
      slot: `0x${i.toString(16).padStart(64, '0')}`,
      value: '0x01',
    }));
    const [{ code } = { code: '0x' }] = TRIVIAL_CALL.overrides;
    const body = Buffer.from(
      rpcBody('view_call', { ...TRIVIAL_CALL, overrides: [{ address: FLOODED_AT, code, slots }] }),
    );
    return (attack) => attack.keepSending(20, () => body);
  },
};

import { CALL_KINDS } from '../../execution/views/batched-calls.js';

/** The methods that run contracts for their caller: a token's limits of gas and time hold for them. */
export const LIMITED_METHODS: ReadonlySet<string> = new Set([...CALL_KINDS, 'tx_build_simulate']);

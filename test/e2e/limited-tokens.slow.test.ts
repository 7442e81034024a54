// Tokens with limits of gas and execution time on a node whose main thread receives the calls.
import { describe } from 'node:test';
import { testLimitedSockets } from '../support/tokens/limited-tokens/sockets.js';
import { testLimitedTransactions } from '../support/tokens/limited-tokens/transactions.js';
import { withLimitedTokens } from '../support/tokens/limited-tokens/world.js';

describe('a token with limits of gas and time, without front threads', () => {
  const world = withLimitedTokens(0);
  describe('calls over WebSockets', () => testLimitedSockets(world));
  describe('transactions', () => testLimitedTransactions(world));
});

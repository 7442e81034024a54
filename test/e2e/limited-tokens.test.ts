// Tokens with limits of gas and execution time on a real node.
import { describe } from 'node:test';
import { testLimitedCalls } from '../support/tokens/limited-tokens/calls.js';
import { testLimitedSockets } from '../support/tokens/limited-tokens/sockets.js';
import { testLimitedTransactions } from '../support/tokens/limited-tokens/transactions.js';
import { withLimitedTokens } from '../support/tokens/limited-tokens/world.js';

describe('a token with limits of gas and time, 2 front threads', () => {
  const world = withLimitedTokens(2);
  describe('calls over HTTP', () => testLimitedCalls(world));
  describe('calls over WebSockets', () => testLimitedSockets(world));
  describe('transactions', () => testLimitedTransactions(world));
});

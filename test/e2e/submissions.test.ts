// Submitted transactions are sealed in any order of arrival; after a receipt is seen, its state is visible on every
// connection.
import { testSubmissions } from '../support/nodes/submissions.js';

testSubmissions(
  [
    ['on a fast timer', ['--block-time', '20']],
    ['instantly', ['--seal', 'instant']],
  ],
  { rounds: 300, senders: 32 },
);

import { testSubmissions } from '../support/nodes/submissions.js';

testSubmissions(
  [
    ['on the default timer', []],
    ['on a timer that never seals empty blocks', ['--idle-block-time', '0']],
    [
      'instantly, without the native parts',
      ['--seal', 'instant', '--idle-block-time', '0', '--native', 'off'],
    ],
  ],
  undefined,
);

testSubmissions(
  [
    ['on a timer', ['--block-time', '50']],
    ['instantly', ['--seal', 'instant']],
  ],
  { rounds: 3_000, senders: 128 },
);

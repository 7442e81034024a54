// Prints the first blocks of a chain, and those that follow, until there are three:
//   node examples/blocks.mjs [URL]
import { connect } from 'heddle/client';
import { WebSocket } from 'ws';

const client = connect(process.argv[2] ?? process.env.HEDDLE_URL ?? 'http://127.0.0.1:9545');
let count = 0;

// Past blocks come first. After a lost connection the subscription continues at the next block.
const blocks = client.subscribe('new_blocks', { fromHeight: 0n, webSocket: WebSocket }, (block) => {
  console.log(`block ${block.height}: final ${block.finalized}`);
  count++;
  if (count === 3) blocks.close();
});
await blocks.ended;
await client.close();

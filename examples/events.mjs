// Deploys the token, pays with it in a bundle, and reports its events:
//   node examples/events.mjs [URL]
import { readFileSync } from 'node:fs';
import { connect, devAccount } from 'heddle/client';
import { WebSocket } from 'ws';

const client = connect(process.argv[2] ?? process.env.HEDDLE_URL ?? 'http://127.0.0.1:9545');
const file = (name) => readFileSync(new URL(`../contracts/token/${name}`, import.meta.url));
const [erin, frank, grace] = [devAccount(4), devAccount(5), devAccount(6)];
const owner = erin.address;
const init = { name: 'Thread', symbol: 'THR', decimals: 2, supply: 1_000n, owner, minter: owner };
const { contract: token } = await client
  .sender(erin)
  .deploy({ code: file('token.wasm'), idl: file('token.idl').toString(), init });

// A block includes both transfers, or neither. The client fills in nonces, gas limits, fees and the chain id.
const { transactions } = await client
  .bundle([
    { sender: erin, contract: token, method: 'transfer', args: { to: frank.address, amount: 250n } },
    { sender: frank, contract: token, method: 'transfer', args: { to: grace.address, amount: 50n } },
  ])
  .send({ wait: 'included' });
console.log(`bundle: ${transactions.map(({ receipt }) => receipt.status.type).join(', ')}`);

// Past events come first. The filter takes indexed fields, as text or bytes; a list accepts each of its values.
const filter = { to: [frank.address, grace.address] };
const fromHeight = transactions[0].receipt.height;
for await (const { args, log } of token.watch('Transfer', { filter, fromHeight, webSocket: WebSocket })) {
  console.log(`Transfer of ${args.amount}, event ${log.log_index} of its transaction`);
  if (args.amount === '50') break;
}
await client.close();

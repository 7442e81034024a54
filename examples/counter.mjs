// Calls the counter contract of the tutorial by name and reads its events:
//   node examples/counter.mjs ADDRESS [URL]
import { CallFailedError, connect, devAccount, parseAddress } from 'heddle/client';

const client = connect(process.argv[3] ?? process.env.HEDDLE_URL ?? 'http://127.0.0.1:9545');
const sender = client.sender(devAccount(4));
const counter = client.contract(parseAddress(process.argv[2] ?? ''), { sender });

// The client reads the interface from the chain, and checks and encodes the arguments.
const { receipt } = await counter.call('increment', { by: 5 });
console.log(`increment: ${receipt.status.type}, the count is ${receipt.decoded}`);
for (const { name, args } of await counter.events(receipt)) console.log(name, args);

// A view is free and needs no transaction; a failure throws an error with the reason.
console.log(`count: ${await counter.view('count')}`);
try {
  await counter.view('reset');
} catch (error) {
  if (!(error instanceof CallFailedError)) throw error;
  console.log(error.message);
}

// All events of the contract, page by page.
const { logs } = await client.get_logs({ contract: counter.address, limit: 100 });
console.log(`${logs.length} events, in blocks up to ${logs.at(-1)?.height}`);

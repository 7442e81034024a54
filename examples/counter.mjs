// Calls the counter contract of the tutorial by name, asks it, and reads its events:
//   node examples/counter.mjs ADDRESS [URL]
import { CallFailedError, connect, devAccount, parseAddress } from 'heddle/client';

const client = connect(process.argv[3] ?? process.env.HEDDLE_URL ?? 'http://127.0.0.1:9545');
const sender = client.sender(devAccount(4));
const counter = client.contract(parseAddress(process.argv[2] ?? ''), { sender });

// The interface comes from the chain; arguments are checked and encoded here.
const { receipt } = await counter.call('increment', { by: 5 });
console.log(`increment: ${receipt.status.type}, the count is ${receipt.decoded}`);
for (const { name, args } of await counter.events(receipt)) console.log(name, args);

// A view needs no transaction and costs nothing; a failure is an error with its reason.
console.log(`count: ${await counter.view('count')}`);
try {
  await counter.view('reset');
} catch (error) {
  if (!(error instanceof CallFailedError)) throw error;
  console.log(error.message);
}

// All that the contract ever said, a page at a time.
const { logs } = await client.get_logs({ contract: counter.address, limit: 100 });
console.log(`${logs.length} events, in blocks up to ${logs.at(-1)?.height}`);

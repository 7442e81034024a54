// Runs in a browser: sends a transfer, calls a contract through its on-chain interface, proves a balance, and reports.
import { connect, devAccount } from '../../src/client/client.js';
import { verifyAccount } from '../../src/proofs/verify.js';
import { postVerdict, surroundings } from '../support/pages/page-verdict.js';
import type { ClientTask, ClientVerdict } from './browser-task.js';

async function run(): Promise<ClientVerdict> {
  const { url, token } = (await (await fetch('/task')).json()) as ClientTask;
  const client = connect(url);
  const status = await client.status();
  const alice = client.sender(devAccount(0));
  const to = new Uint8Array(20).fill(0xcd);
  const { receipt } = await alice.transfer({ to, amount: 12_345n, wait: 'finalized' });
  const contract = client.contract(token, { sender: alice });
  const called = await contract.call('transfer', { to, amount: 250n });
  const [event] = await contract.events(called.receipt);
  const balance = await contract.view('balance_of', { owner: to });
  const answer = await fetch(`${url}/v2/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"jsonrpc":"2.0","id":1,"method":"state_proof","params":{"contract":"0x${'cd'.repeat(20)}"}}`,
  });
  const { result } = (await answer.json()) as { result: unknown };
  const proved = verifyAccount(result, to, { groupPublicKey: status.validator_set.group_public_key });
  return {
    chainId: String(status.chain_id),
    transfer: receipt.status.type,
    call: called.receipt.status.type,
    event,
    balance,
    provedBalance: String(proved.record?.balance),
    ...surroundings(),
  };
}

await postVerdict(run);

// Reads an account's balance and checks the answer against the validators' group key, obtained from another source:
//   node examples/verify.mjs KEY ADDRESS [URL]
import { verifyAccount } from 'heddle/verify';

const [groupPublicKey, address, given] = process.argv.slice(2);
const url = given ?? process.env.HEDDLE_URL ?? 'http://127.0.0.1:9545';

const response = await fetch(`${url}/v2/rpc`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'state_proof', params: { contract: address } }),
});

// An answer without a valid proof under the key throws a VerifyError.
const { result } = await response.json();
const { record, block } = verifyAccount(result, address, { groupPublicKey });
console.log(`proved at block ${block.header.height}: ${record?.balance ?? 0n}`);

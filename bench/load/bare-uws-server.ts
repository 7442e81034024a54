// A floor for the RPC: bare uWebSockets.js that parses the same JSON body and returns a small JSON answer.
import { loadUws } from '../../src/rpc/http/native/load-uws.js';

const loaded = loadUws();
if ('reason' in loaded) throw new Error(loaded.reason);
const { binding } = loaded;

const answer = process.argv[2] ?? '{}';

const app = binding.App();
app.post('/v2/rpc', (response) => {
  let collected: Buffer | undefined;
  response.onAborted(() => {
    collected = undefined;
  });
  response.onData((chunk, isLast) => {
    const part = Buffer.from(chunk);
    const body = collected === undefined ? part : Buffer.concat([collected, part]);
    if (!isLast) {
      // The chunk's memory is valid only during the callback.
      collected = Buffer.from(body);
      return;
    }
    const request = JSON.parse(body.toString()) as { readonly id: number };
    response.cork(() => {
      response
        .writeHeader('content-type', 'application/json')
        .end(`{"jsonrpc":"2.0","id":${request.id},"result":${answer}}`);
    });
  });
});
app.listen('127.0.0.1', 0, binding.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
  if (socket === false) throw new Error('no free port');
  console.log(`listening on http://127.0.0.1:${binding.us_socket_local_port(socket)}`);
});

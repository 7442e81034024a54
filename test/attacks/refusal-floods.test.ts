// Floods of requests that end in refusals are limited by address like floods of calls.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { floodTime } from '../support/floods/flood-time.js';
import { LoopbackConnection, refusalIn } from '../support/floods/loopback-connection.js';
import { AttackedNode } from '../support/nodes/attacked-node.js';
import { perTier } from '../support/sweep.js';
import { issueToken } from '../support/tokens/issue-token.js';

const ATTACKERS = 16;
const FLOOD_MS = perTier(600, 4_000);
const RATE = 50;
const BURST_SECONDS = 2;
/** Compute units of a refusal. */
const COST = 2;
const STATUS = '{"jsonrpc":"2.0","id":1,"method":"status"}';

let attacked: AttackedNode;
let token: string;
before(async () => {
  attacked = await AttackedNode.start([
    ...['--front-threads', '2', '--block-time', '100', '--idle-block-time', '100'],
    ...['--public-rate', String(RATE), '--rate-burst', String(BURST_SECONDS)],
  ]);
  ({ token } = await issueToken(attacked.dataDir));
});
after(() => attacked.dispose());

const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with a wrong signature; no two are the same. */
function forged(): string {
  const claims = { sub: randomBytes(8).toString('hex'), tier: 'admin', exp: 4_000_000_000 };
  return `${segment({ alg: 'HS256' })}.${segment(claims)}.${randomBytes(32).toString('base64url')}`;
}

const FLOODS: Readonly<Record<string, () => { readonly body: string; readonly authorization?: string }>> = {
  'forged tokens': () => ({ body: STATUS, authorization: `Bearer ${forged()}` }),
  'headers without a token': () => ({ body: STATUS, authorization: 'Basic eDp5' }),
  'invalid JSON': () => ({ body: '{"jsonrpc":' }),
  'unknown methods': () => ({ body: '{"jsonrpc":"2.0","id":1,"method":"sttus"}' }),
  'denied methods': () => ({ body: '{"jsonrpc":"2.0","id":1,"method":"tx_build"}' }),
};

for (const [place, [what, next]] of Object.entries(FLOODS).entries()) {
  test(`floods of ${what} from one address are rate limited, and others are served`, async () => {
    const begun = performance.now();
    let refused = 0;
    let limited = 0;
    const isOver = floodTime(FLOOD_MS, () => limited > 0);
    const attacker = async (): Promise<void> => {
      const connection = new LoopbackConnection(attacked.node.url, `127.0.1.${1 + place}`);
      while (!isOver()) {
        const { body, authorization } = next();
        const headers = authorization === undefined ? {} : { authorization };
        if (refusalIn(await connection.post(body, { headers })) === 'rate_limited') limited++;
        else refused++;
      }
      connection.close();
    };
    const holder = async (): Promise<void> => {
      const connection = new LoopbackConnection(attacked.node.url, '127.0.0.77');
      while (!isOver()) {
        const answer = await connection.post(STATUS, { headers: { authorization: `Bearer ${token}` } });
        assert.equal(refusalIn(answer), undefined);
      }
      connection.close();
    };
    await Promise.all([holder(), ...Array.from({ length: ATTACKERS }, attacker)]);
    const granted = (RATE * (BURST_SECONDS + (performance.now() - begun) / 1_000)) / COST;
    assert.ok(refused > 0 && refused <= granted + 1, `${refused} refusals, ${granted} granted`);
    assert.ok(limited > 0, 'none is limited');
    await attacked.assertSound({ peakMiB: 900 });
  });
}

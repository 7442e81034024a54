import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect, devAccount } from '../../src/client/client.js';
import { sha256 } from '../../src/crypto/sha256.js';
import type { BlockHeader } from '../../src/generated/ledger.js';
import { ForkError } from '../../src/node/fork/fork-error.js';
import { ForkedChain, forkedHeader } from '../../src/node/fork/forked-chain.js';
import { TamperingSource } from '../support/forged/tampering-source.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { CONTRACTS, contractCode } from '../support/worlds/contract-world.js';

/** A JSON-RPC answer that the lying node changes. */
type Lie = (method: string, result: Record<string, unknown>) => void;

const tell: Lie = () => undefined;

describe('a forked chain whose node lies', () => {
  let origin: NodeProcess;
  let source: TamperingSource;
  let header: BlockHeader;
  let token: Uint8Array;
  let lie: Lie = tell;

  before(async () => {
    origin = await NodeProcess.start({ flags: ['--workers', '1'] });
    const client = connect(origin.url);
    const sender = client.sender(devAccount(0));
    const owner = sender.signer.address;
    const init = { name: 'Thread', symbol: 'THR', decimals: 2, supply: 9n, owner, minter: owner };
    const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
    token = (await sender.deploy({ code: Uint8Array.from(contractCode('token')), idl, init })).contract
      .address;
    source = await TamperingSource.start(origin.url, ({ method }, result) => {
      lie(method, result as Record<string, unknown>);
      return { kind: 'result', result };
    });
    header = await forkedHeader(node(), undefined);
  });

  after(async () => {
    await source.stop();
    await origin.dispose();
  });

  const node = () => ({ url: source.url, token: undefined });

  async function read(name: Uint8Array, told: Lie) {
    lie = told;
    try {
      return await new ForkedChain(node(), header, { sha256 }).read(name);
    } finally {
      lie = tell;
    }
  }

  const { address } = devAccount(0);
  const slot = new Uint8Array(52).fill(3);

  test('is believed when it tells the truth', async () => {
    assert.ok((await read(address, tell)).value !== undefined);
    assert.equal((await read(slot, tell)).value, undefined);
    const { blobs } = await read(token, tell);
    assert.deepEqual(
      blobs.map(({ bytes }) => bytes.length),
      [contractCode('token').length, readFileSync(join(CONTRACTS, 'token', 'token.idl')).length],
    );
  });

  const lies: readonly (readonly [string, Uint8Array | 'token', Lie, RegExp])[] = [
    [
      'another value',
      address,
      (_, { account }) => {
        const proof = account as { value: string };
        proof.value = proof.value.replace(/^(0x)?../, '$1ff');
      },
      /proof/,
    ],
    [
      'no value',
      address,
      (_, { account }) => {
        delete (account as { value?: string }).value;
      },
      /proof/,
    ],
    [
      'the proof of another account',
      new Uint8Array(20).fill(9),
      (_, result) => {
        const { key } = result['account'] as { key: string };
        result['account'] = {
          ...(result['account'] as object),
          key: key.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        };
      },
      /not for the requested key/,
    ],
    [
      'no proof of the slot',
      slot,
      (_, result) => {
        delete result['slot'];
      },
      /slot/,
    ],
    [
      'another state root',
      address,
      (_, { header: shown }) => {
        (shown as { state_root: string }).state_root = '00'.repeat(32);
      },
      /is it another chain\?/,
    ],
    [
      'other code',
      'token',
      (method, { trace }) => {
        if (method !== 'chain_traceCall') return;
        for (const entry of (trace as { prestate: { code?: string }[] }).prestate) entry.code = '0x0061736d';
      },
      /does not show the code/,
    ],
    [
      'nothing',
      address,
      (_, result) => {
        for (const name of Object.keys(result)) delete result[name];
      },
      /forked chain/,
    ],
  ];
  for (const [what, name, told, message] of lies) {
    test(`is refused when it shows ${what}`, async () => {
      await assert.rejects(read(name === 'token' ? token : name, told), (error) => {
        assert.ok(error instanceof ForkError, String(error));
        assert.match(error.message, message);
        return true;
      });
    });
  }

  test('yields a contract without an interface if the node shows a different one', async () => {
    const { blobs } = await read(token, (method, result) => {
      if (method === 'contract_idl') result['idl'] = 'contract Other {}';
    });
    assert.equal(blobs.length, 1);
  });
});

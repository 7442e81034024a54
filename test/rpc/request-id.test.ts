import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { FakeRpc } from '../support/http/fake-rpc.js';

const OWN = /^[0-9a-f]{16}$/;

describe('request ids', async () => {
  const rpc = await FakeRpc.create({ failures: { badly: new Error('a bug') } });
  after(() => rpc.dispose());
  const idOf = async (given?: string): Promise<string> => {
    const headers = given === undefined ? {} : { 'x-request-id': given };
    return (await rpc.call('lonely', {}, headers)).headers['x-request-id'] ?? '';
  };

  for (const id of [
    '7',
    'a'.repeat(63),
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    'Root=1-67891233:a/b+c@d~e_f.g',
  ]) {
    test(`a client's id ${id} is kept`, async () => assert.equal(await idOf(id), id));
  }

  for (const id of ['', 'a'.repeat(64), 'a b', 'a"b', 'a\r\nset-cookie: x', 'é', '{}', '<b>', '%0a', 'a,b']) {
    test(`${JSON.stringify(id)} is replaced`, async () => assert.match(await idOf(id), OWN));
  }

  test('requests without an id get different ones', async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 2_000; i++) ids.add(await idOf());
    assert.equal(ids.size, 2_000);
    for (const id of ids) assert.match(id, OWN);
  });

  test('every path and every refusal carries the id', async () => {
    for (const request of [
      { method: 'GET', path: '/nothing' },
      { method: 'GET', path: '/health' },
      { method: 'GET', path: '/metrics' },
      { method: 'GET', path: '/v2/rpc/idl' },
      { method: 'PUT', path: '/v2/rpc' },
      { method: 'OPTIONS', path: '/v2/rpc' },
      { method: 'POST', path: '/v2/rpc', headers: { 'content-type': 'text/plain' } },
    ]) {
      const headers = { ...request.headers, 'x-request-id': 'mine' };
      const answer = await rpc.request({ ...request, headers });
      assert.equal(answer.headers['x-request-id'], 'mine', `${request.method} ${request.path}`);
    }
    for (const body of ['{', '[]', '[{"jsonrpc":"2.0","id":1,"method":"lonely"}]', 'null']) {
      assert.equal((await rpc.post(body, { 'x-request-id': 'mine' })).headers['x-request-id'], 'mine', body);
    }
    const { bodyTooLong, refused, overloaded, failure } = rpc.frontEnd.httpOptions;
    const head = { header: (name: string) => (name === 'x-request-id' ? 'mine' : '') };
    for (const answer of [
      bodyTooLong(9, head),
      refused(431, 'too many', head),
      overloaded(head),
      failure(new Error('a bug'), head),
    ]) {
      assert.equal(Object.fromEntries(answer.headers)['x-request-id'], 'mine');
    }
  });

  test('the log of an internal error has the request id and the error id of the answer', async () => {
    const answer = await rpc.call('fail', { how: 'badly' }, { 'x-request-id': 'the-bad-one' });
    const { error } = answer.json as { error: { data: { kind: string; error_id: string } } };
    assert.equal(error.data.kind, 'internal_error');
    const [record] = rpc.log.filter(({ fields }) => fields['error_id'] === error.data.error_id);
    assert.equal(record?.fields['request_id'], 'the-bad-one');
  });
});

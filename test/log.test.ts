import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Config } from '../src/config/config.js';
import { createLogger, type Logger } from '../src/log.js';

async function logged(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  write: (log: Logger) => void,
): Promise<string[]> {
  const lines: string[] = [];
  write(await createLogger(config, { write: (line: string) => lines.push(line) }));
  return lines;
}

describe('the log', () => {
  it('writes JSON as one record per line, with level, time, message and the facts as members', async () => {
    const [line, ...others] = await logged({ logLevel: 'info', logFormat: 'json' }, (log) =>
      log.info({ url: 'http://127.0.0.1:1', chain_id: '9545' }, 'listening on http://127.0.0.1:1'),
    );
    assert.deepEqual(others, []);
    const { time, ...record } = JSON.parse(line ?? '') as Record<string, unknown>;
    assert.deepEqual(record, {
      level: 'info',
      url: 'http://127.0.0.1:1',
      chain_id: '9545',
      msg: 'listening on http://127.0.0.1:1',
    });
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('is plain on a pipe by default', async () => {
    const [line] = await logged({ logLevel: 'info', logFormat: 'auto' }, (log) => log.info('x'));
    assert.equal((JSON.parse(line ?? '') as { msg: string }).msg, 'x');
  });

  it('leaves out records below its level', async () => {
    const lines = await logged({ logLevel: 'warn', logFormat: 'json' }, (log) => {
      log.info('quiet');
      log.warn('loud');
    });
    assert.equal(lines.length, 1);
    assert.deepEqual(await logged({ logLevel: 'silent', logFormat: 'json' }, (log) => log.fatal('x')), []);
  });

  it('never holds a secret, at the top or one level down', async () => {
    for (const logFormat of ['json', 'pretty'] as const) {
      const lines = await logged({ logLevel: 'trace', logFormat }, (log) => {
        log.info({ token: 'hush', headers: { authorization: 'Bearer hush' } }, 'a');
        log.child({ seed: 'hush' }).warn({ account: { private_key: 'hush', privateKey: 'hush' } }, 'b');
        log.error({ secret: 'hush', password: 'hush' }, 'c');
      });
      assert.equal(lines.length, 3);
      assert.ok(!lines.join('').includes('hush'), lines.join(''));
    }
  });

  it('lets no text control the terminal or forge a line', async () => {
    const write = (log: Logger) => {
      const err = new Error('no\u009b2J\n[00:00:00.000] INFO: all is well');
      log.warn({ peer: 'x\u001b[2J', err }, 'refused \u202eby\n[00:00:00.000] INFO: y');
    };
    const [json = ''] = await logged({ logLevel: 'info', logFormat: 'json' }, write);
    assert.match(json, /^[^\p{Cc}\p{Cf}]*\n$/u);
    assert.equal((JSON.parse(json) as { peer: string }).peer, 'x\u001b[2J');
    const [pretty = ''] = await logged({ logLevel: 'info', logFormat: 'pretty' }, write);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters
    assert.doesNotMatch(pretty, /(?!\n)[\u0000-\u001f\u007f-\u009f\u202e]/);
    assert.match(pretty, /refused \\u202eby\\u000a\[00:00:00\.000\] INFO: y/);
    const forged = pretty.split('\n').filter((line) => line.startsWith('[00:00:00.000]'));
    assert.deepEqual(forged, []);
  });

  it('shows people an error with its stack and code', async () => {
    const error = Object.assign(new Error('it broke'), { code: 'damaged' });
    const lines = await logged({ logLevel: 'info', logFormat: 'pretty' }, (log) =>
      log.error({ err: error }, 'cannot go on'),
    );
    const text = lines.join('');
    assert.match(text, /ERROR.*cannot go on/);
    assert.match(text, /it broke/);
    assert.match(text, /damaged/);
    assert.match(text, /log\.test/);
  });
});

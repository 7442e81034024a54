import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Client, connect, devAccount, formatAddress, mnemonicAccount } from '../../src/client/client.js';
import { heddle } from '../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { perTier } from '../support/sweep.js';

const IS_LONG = perTier(false, true);

const WORDS = 'test test test test test test test test test test test junk';
const OPTIONS = ['--chain-id', '31337', '--accounts', '12', '--balance', '5e22'];
const env = { HEDDLE_MNEMONIC: WORDS };

describe('a development chain with its own id, accounts and balance', () => {
  const directory = temporaryDirectory();
  const dataDir = join(directory, 'source');
  let node: NodeProcess;
  let client: Client;

  before(async () => {
    node = await NodeProcess.start({ dataDir, flags: [...OPTIONS, '--idle-block-time', '0'], env });
    client = connect(node.url);
  });

  after(async () => {
    await node.dispose();
    removeDirectory(directory);
  });

  test('funds the accounts of the mnemonic, of which commands know the keys', async () => {
    assert.equal((await client.status()).chain_id, 31_337n);
    const to = formatAddress(mnemonicAccount(WORDS, 11).address);
    const sent = await heddle(
      ['send', '--url', node.url, '--from-dev', '10', '--to', 'dev:11', '--amount', '1e18', '--json'],
      env,
    );
    assert.equal(sent.code, 0, sent.err);
    assert.equal((await client.account({ address: to })).balance, 5n * 10n ** 22n + 10n ** 18n);
    assert.equal((await client.account({ address: devAccount(0).address })).balance, 0n);
    assert.equal((await client.account({ address: mnemonicAccount(WORDS, 12).address })).balance, 0n);
  });

  if (IS_LONG) {
    test('is put under load by its own accounts', async () => {
      const flags = ['--url', node.url, '--rate', '20', '--duration', '1', '--accounts', '2'];
      const loaded = await heddle(['load', ...flags], env);
      assert.equal(loaded.code, 0, loaded.err);
    });

    test('is followed with the same options, from then on without them', async () => {
      const flags = ['--follow', node.url, '--trust', 'dev', '--sync-from', 'genesis'];
      const followerDir = join(directory, 'follower');
      for (const options of [OPTIONS, []]) {
        const follower = await NodeProcess.start({
          dataDir: followerDir,
          flags: [...flags, ...options],
          env: options.length > 0 ? env : {},
        });
        const height = (await client.status()).tip.height;
        for (;;) {
          const at = await connect(follower.url).status();
          if (at.tip.height >= height) break;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        assert.equal((await connect(follower.url).status()).chain_id, 31_337n);
        await follower.stop();
      }
    });
  }

  test('continues from its directory, and refuses options of another chain', async () => {
    const height = (await client.status()).tip.height;
    await node.stop();
    const verified = await heddle(['verify', '--data-dir', dataDir]);
    assert.equal(verified.code, 0, verified.err);
    const doctor = await heddle(['doctor', '--data-dir', dataDir, '--port', '0', '--json']);
    assert.match(doctor.out, /chain 31337, block 0/);
    const made = await heddle(['snapshot', 'create', '--data-dir', dataDir]);
    assert.equal(made.code, 0, made.err);
    const archive = join(directory, 'snapshot.tar.gz');
    const exported = await heddle(['snapshot', 'export', '--data-dir', dataDir, archive]);
    assert.equal(exported.code, 0, exported.err);
    const checked = await heddle(['snapshot', 'verify', '--trust', 'dev', ...OPTIONS, archive], env);
    assert.equal(checked.code, 0, checked.err);

    const differing = await heddle(
      [
        'start',
        '--data-dir',
        dataDir,
        '--port',
        '0',
        '--balance',
        '1',
        '--accounts',
        '10',
        '--chain-id',
        '5',
        '--log-level',
        'fatal',
      ],
      { HEDDLE_MNEMONIC: `${'abandon '.repeat(11)}about` },
    );
    assert.equal(differing.code, 2);
    assert.match(differing.err, /chain-id: expected 31337, as of the chain in .*, got "5"/);
    assert.match(differing.err, /accounts: expected 12, .*omit the option to continue that chain/);
    assert.match(differing.err, /balance: expected 50000000000000000000000, as of/);
    assert.match(differing.err, /mnemonic: expected the words of the accounts, as of/);
    assert.doesNotMatch(differing.err, /abandon/);

    node = await NodeProcess.start({ dataDir, flags: ['--log-format', 'pretty'] });
    client = connect(node.url);
    assert.equal((await client.status()).chain_id, 31_337n);
    assert.ok((await client.status()).tip.height >= height);
  });
});

test('options of development chains are refused on other chains, and beyond their bounds', async () => {
  const refused = async (flags: readonly string[], message: RegExp) => {
    const { code, err } = await heddle(['start', '--port', '0', ...flags], {}, temporaryDirectory());
    assert.notEqual(code, 0);
    assert.match(err, message);
  };
  const genesis = ['--genesis', 'genesis.json', '--no-certificates'];
  await refused([...genesis, '--chain-id', '7'], /chain-id: expected none beside --genesis/);
  await refused([...genesis, '--mnemonic', WORDS], /mnemonic: expected none beside --genesis.*not shown/);
  const key = 'ab'.repeat(48);
  await refused(
    ['--follow', 'http://127.0.0.1:1', '--trust', key, '--accounts', '3'],
    /accounts: expected none beside --follow/,
  );
  await refused(['--chain-id', '0'], /chain-id: expected a chain id from 1 to 2\^64 - 1, got "0"/);
  await refused(['--chain-id', '18446744073709551616'], /chain-id: expected a chain id/);
  await refused(['--accounts', '10001'], /accounts: expected an integer number of accounts from 1 to 10000/);
  await refused(['--balance', '1e29'], /balance: expected an amount up to 2\^96/);
  const unchecked = WORDS.replace('junk', 'walnut');
  await refused(
    ['--mnemonic', unchecked],
    /mnemonic: expected English words of BIP-39 with a valid checksum/,
  );
  await refused(['--mnemonic', 'my secret'], /mnemonic: expected 12 to 24 English words.*not shown/);
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { heddle } from '../support/nodes/command-line.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

function missing(program: string): string | false {
  const { status } = spawnSync('sh', ['-c', `command -v ${program}`]);
  return status === 0 ? false : `there is no ${program} here`;
}

describe('heddle completion', () => {
  const directory = temporaryDirectory();
  const script = (shell: string): string => join(directory, `heddle.${shell}`);

  before(async () => {
    for (const shell of SHELLS) {
      const { code, out, err } = await heddle(['completion', shell]);
      assert.deepEqual([code, err], [0, '']);
      writeFileSync(script(shell), out);
    }
  });
  after(() => removeDirectory(directory));

  /** The offers of one bash for each of these lists of words; the last word of each is incomplete. */
  function offered(...lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
    const typed = lines.flatMap((words) => [
      `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
      `COMP_CWORD=${words.length - 1}`,
      '_heddle',
      `printf '%s\\n' "\${COMPREPLY[@]}" ===`,
    ]);
    const program = [`source '${script('bash')}'`, ...typed].join('\n');
    const { status, stdout, stderr } = spawnSync('bash', ['-c', program], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
    const offers = stdout.split('===\n').slice(0, -1);
    return offers.map((text) => text.split('\n').filter((line) => line !== ''));
  }

  /** Asserts what bash offers. */
  function offers(
    ...expected: readonly (readonly [words: readonly string[], offer: readonly string[]])[]
  ): void {
    const given = offered(...expected.map(([words]) => words));
    assert.deepEqual(
      expected.map(([words], index) => [words, given[index]]),
      expected,
    );
  }

  describe('in bash', { skip: missing('bash') }, () => {
    it('completes commands and subcommands', () => {
      offers(
        [['heddle', 'bal'], ['balance']],
        [['heddle', 'contract', 'de'], ['deploy']],
        [['heddle', 'estimate', 'tr'], ['transfer']],
      );
      const [all = []] = offered(['heddle', '']);
      for (const command of ['start', 'send', 'logs', 'farm', 'completion', 'help']) {
        assert.ok(all.includes(command), command);
      }
    });

    it('completes the options of the command on the line', () => {
      offers(
        [['heddle', 'logs', '--fol'], ['--follow']],
        [
          ['heddle', 'contract', 'view', '--from', 'dev:0', '--fr'],
          ['--from', '--from-dev'],
        ],
        [
          ['heddle', 'balance', 'dev:0', '--to'],
          ['--token', '--tokens', '--token-file'],
        ],
        [['heddle', 'status', '--fol'], []],
      );
    });

    it('completes the choices of options and arguments', () => {
      const waits = ['none', 'included', 'opened', 'finalized'];
      offers(
        [['heddle', 'send', '--wait', ''], waits],
        [['heddle', 'send', '--wait', '='], waits],
        [['heddle', 'send', '--wait', '=', 'fin'], ['finalized']],
        [['heddle', 'contract', 'deploy', '--policy', 't'], ['timelock']],
        [['heddle', 'completion', ''], SHELLS],
      );
    });

    it('leaves other values and arguments to file-name completion', () => {
      offers(
        [['heddle', 'send', '--key', ''], []],
        [['heddle', 'send', '--to', '-'], []],
        [['heddle', 'contract', 'deploy', 'token'], []],
      );
    });
  });

  it('offers in each shell every command and option that help shows', async () => {
    const commands = [[], ['send'], ['contract'], ['contract', 'deploy'], ['logs'], ['token', 'issue']];
    const scripts = await Promise.all(SHELLS.map(async (shell) => (await heddle(['completion', shell])).out));
    for (const command of commands) {
      const { out } = await heddle([...command, '--help']);
      const flags = [...out.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, flag = '']) => flag);
      assert.ok(flags.length > 0);
      for (const flag of flags) {
        const pattern = new RegExp(`(?:--|-l )${flag}\\b`);
        for (const text of scripts) assert.match(text, pattern, `${command.join(' ')} --${flag}`);
      }
    }
  });

  for (const shell of SHELLS) {
    it(`prints a script that ${shell} can read`, { skip: missing(shell) }, () => {
      const { status, stderr } = spawnSync(shell, ['-n', script(shell)], { encoding: 'utf8' });
      assert.deepEqual([status, stderr], [0, '']);
    });
  }

  it('completes in fish', { skip: missing('fish') }, () => {
    const typed = `source '${script('fish')}'; complete -C 'heddle bal'; complete -C 'heddle send --wait fin'`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', typed], { encoding: 'utf8' });
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split('\t')[0]),
      ['balance', 'finalized', ''],
    );
  });

  it('refuses other shells', async () => {
    const { code, err } = await heddle(['completion', 'tcsh']);
    assert.match(err, /Allowed choices are bash, zsh, fish/);
    assert.equal(code, 2);
  });
});

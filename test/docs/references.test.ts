// Everything that the pages name exists and is described correctly.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BENCHMARKS } from '../../bench/catalogue.js';
import { namesOf } from '../../bench/command/selection.js';
import { OPTIONS } from '../../src/config/options.js';
import { nodeRpcV1Manifest } from '../../src/generated/node-rpc-v1.js';
import { checkPage } from '../support/pages/page-script.js';
import { anchors, guides, pages, readme, root } from './pages.js';

const compiled = fileURLToPath(new URL('../..', import.meta.url));

function guide(path: string): string {
  return guides.find((page) => page.path === path)?.text ?? assert.fail(`there is no ${path}`);
}

/** Lines whose flags belong to other programs. */
const OTHER_PROGRAMS = /npm run|redis-server --|^docker |^systemctl /;

const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly exports: { readonly './client': { readonly default: string } };
};

/** The names in backquotes in the table under a mark. */
function methodsUnder(mark: string): string[] {
  const table = guide('docs/rpc.md').split(`<!-- ${mark} -->`)[1]?.split('\n\n')[0] ?? '';
  return [...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

describe('every page', () => {
  test('links to files and headings that exist', () => {
    for (const { path, text } of pages) {
      for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
        const to = target === '' ? path : normalize(join(dirname(path), target));
        assert.ok(existsSync(join(root, to)), `${path} links to ${target}`);
        if (anchor === undefined) continue;
        assert.ok(
          anchors(readFileSync(join(root, to), 'utf8')).includes(anchor),
          `${path} links to ${target}#${anchor}`,
        );
      }
    }
  });

  test('names existing files and npm scripts', () => {
    for (const { path, text } of pages.filter((page) => !page.path.startsWith('contracts/template'))) {
      for (const [, named = ''] of text.matchAll(
        /`((?:src|test|workers|native-free|idl|bench|scripts|docs|deploy)\/[\w/.-]*)`/g,
      )) {
        assert.ok(existsSync(join(root, named)), `${path} names ${named}`);
      }
      for (const [, name = ''] of text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) {
        assert.ok(name in packageJson.scripts, `${path}: npm run ${name} is not in package.json`);
      }
    }
  });

  test('uses existing flags of commands', () => {
    const commands = readdirSync(join(root, 'src/cli'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, 'src/cli', name), 'utf8'))
      .join('\n');
    const known = new Set<string>(['help', 'version', ...Object.values(OPTIONS).map(({ flag }) => flag)]);
    for (const [, flag = ''] of commands.matchAll(/'--([a-z-]+)[ ']/g)) known.add(flag);
    for (const { path, text } of guides) {
      for (const line of text.split('\n').filter((each) => !OTHER_PROGRAMS.test(each))) {
        const own = line.replace(/`(?:anvil|cast|forge) [^`]*`/g, '');
        for (const [, flag = ''] of own.matchAll(/(?<=[ `])--([a-z][a-z-]+)/g)) {
          assert.ok(known.has(flag), `${path}: no command has --${flag}`);
        }
      }
    }
  });

  test('quotes sources verbatim', () => {
    const shown = guides.flatMap(({ path, text }) =>
      [...text.matchAll(/^<!-- from (\S+) -->\n```\w*\n([\s\S]*?)^```$/gm)].map(
        ([, source = '', part = '']) => ({ path, source, part }),
      ),
    );
    assert.ok(shown.length > 0);
    for (const { path, source, part } of shown) {
      assert.ok(readFileSync(join(root, source), 'utf8').includes(part), `${path} shows another ${source}`);
    }
  });
});

test('the README takes five minutes to read', () => {
  assert.ok(readme.text.length < 12_000, `README.md has ${readme.text.length} characters`);
});

test('docs/README.md leads to every guide', () => {
  for (const { path } of guides.filter((page) => dirname(page.path) === 'docs')) {
    if (path === 'docs/README.md') continue;
    assert.ok(guide('docs/README.md').includes(`](${relative('docs', path)})`), `it leaves out ${path}`);
  }
});

test('docs/rpc.md lists exactly the methods that the interface declares', () => {
  const declared = nodeRpcV1Manifest.interfaces.flatMap(({ methods }) => methods.map(({ name }) => name));
  assert.deepEqual(methodsUnder('served').sort(), declared.sort(), 'the table of methods that are served');
  const both = methodsUnder('not served').filter((name) => declared.includes(name));
  assert.deepEqual(both, [], 'the table of methods to come names some that are served');
  assert.equal(declared.length + methodsUnder('not served').length, 50, 'the interface has 50 methods');
});

test('docs/configuration.md has the option tables of src/config/options.ts', () => {
  const { status, stderr } = checkPage('scripts/configuration.mjs');
  assert.equal(status, 0, stderr);
});

test('docs/speed.md has the figures of docs/speed.json', () => {
  const { status, stderr } = checkPage('scripts/speed.mjs');
  assert.equal(status, 0, stderr);
});

test('bench/README.md has every benchmark under its part, and every benchmark has its program', () => {
  const page = readFileSync(join(root, 'bench', 'README.md'), 'utf8');
  const sections = new Map(
    page.split(/^## /m).map((section) => [/^[a-z]+/.exec(section)?.[0] ?? '', section] as const),
  );
  for (const { name, part, program } of BENCHMARKS) {
    assert.ok(sections.get(part)?.includes(`| \`${name}\` `), `it leaves ${name} out of ${part}`);
    assert.ok(existsSync(join(root, 'bench', `${program}.ts`)), `${name} runs a program that is not there`);
  }
});

test('every benchmark that a page or a comment names exists', () => {
  const names = new Set(BENCHMARKS.flatMap(namesOf));
  const sources = ['src', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') })),
  );
  for (const { path, text } of [...pages, ...sources]) {
    for (const [, name = ''] of text.matchAll(/npm run bench -- ([a-z][\w-]*)/g))
      assert.ok(names.has(name), `${path}: there is no benchmark ${name}`);
  }
});

test("the client's name links to the client's module", () => {
  assert.equal(
    packageJson.exports['./client'].default,
    `./dist/${relative(compiled, join(compiled, 'src/client/client.js'))}`,
  );
});

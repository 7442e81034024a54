// Writes the option tables of docs/configuration.md from src/config/options.ts. Needs a build.
// usage: node scripts/configuration.mjs [--check]
import { defaultText } from '../dist/src/config/option.js';
import { OPTIONS } from '../dist/src/config/options.js';
import { read, table, writeGenerated } from './generated-pages.mjs';

const SOURCE = 'src/config/options.ts';
const PAGE = 'docs/configuration.md';
const SECTION = /(<!-- options of ([\w ]+): from src\/config\/options\.ts -->\n)[\s\S]*?(\n<!-- end -->)/g;

const specs = Object.values(OPTIONS);
const groups = [...new Set(specs.map(({ group }) => group))];

const escaped = (text) => text.replaceAll('|', '\\|');

function row(spec) {
  const flag = spec.isSwitch === true ? spec.flag : `${spec.flag} ${spec.placeholder}`;
  // The page leaves out a value computed from this machine.
  const shown = defaultText(spec)?.replace(/, here \d+$/, '') ?? 'none';
  return [`\`--${escaped(flag)}\``, escaped(shown), escaped(spec.help)];
}

function options(group) {
  const rows = specs.filter((spec) => spec.group === group).map(row);
  return table([['option', 'default', 'meaning'], ...rows]);
}

const page = read(PAGE);
const onPage = [...page.matchAll(SECTION)].map(([, , group]) => group);
const wrong = [
  ...groups.filter((group) => !onPage.includes(group)).map((group) => `lacks a table for the group ${group}`),
  ...onPage.filter((group) => !groups.includes(group)).map((group) => `has a table for no group, ${group}`),
  ...onPage.filter((group, i) => onPage.indexOf(group) < i).map((group) => `has two tables for ${group}`),
];
if (wrong.length > 0) {
  console.error(wrong.map((what) => `${PAGE} ${what}`).join('\n'));
  process.exitCode = 1;
} else {
  const wanted = page.replace(SECTION, (_, start, group, end) => `${start}\n${options(group)}\n${end}`);
  writeGenerated({ [PAGE]: wanted }, SOURCE);
}

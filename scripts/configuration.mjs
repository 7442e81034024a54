// Writes the tables of docs/configuration.md from src/config/options.ts and limits.ts. Needs a build.
// usage: node scripts/configuration.mjs [--check]
import { FIXED_LIMITS } from '../dist/src/config/limits.js';
import { defaultText } from '../dist/src/config/option.js';
import { OPTIONS } from '../dist/src/config/options.js';
import { filledPage, table, writeGenerated } from './generated-pages.mjs';

const SOURCE = 'src/config/options.ts';
const PAGE = 'docs/configuration.md';

const specs = Object.values(OPTIONS);
const escaped = (text) => text.replaceAll('|', '\\|');

function row(spec) {
  const flag = spec.isSwitch === true ? spec.flag : `${spec.flag} ${spec.placeholder}`;
  // The page leaves out a value computed from this machine.
  const shown = defaultText(spec).replace(/, here \d+$/, '');
  return [`\`--${escaped(flag)}\``, escaped(shown), escaped(spec.help)];
}

function options(group) {
  const rows = specs.filter((spec) => spec.group === group).map(row);
  return table([['option', 'default', 'meaning'], ...rows]);
}

const groups = [...new Set(specs.map(({ group }) => group))];
const fixed = Object.values(FIXED_LIMITS).map((limit) => [
  `\`${limit.published}\``,
  limit.default.toLocaleString('en-US'),
  limit.help,
]);
const parts = {
  ...Object.fromEntries(groups.map((group) => [`options of ${group}: from ${SOURCE}`, options(group)])),
  'fixed limits: from src/config/limits.ts': table([['limit', 'most', 'of'], ...fixed]),
};
writeGenerated({ [PAGE]: filledPage(PAGE, parts) }, SOURCE);

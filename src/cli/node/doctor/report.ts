import { shownLine } from '../../../base/shown-text.js';
import type { Finding } from './finding.js';

export interface Summary {
  readonly problems: number;
  readonly warnings: number;
}

export function summaryOf(findings: readonly Finding[]): Summary {
  const count = (result: Finding['result']) => findings.filter((finding) => finding.result === result).length;
  return { problems: count('problem'), warnings: count('warning') };
}

/** One JSON object: `version`, `problems`, `warnings` and `findings`. */
export function renderJson(version: string, findings: readonly Finding[]): string {
  return JSON.stringify({ version, ...summaryOf(findings), findings }, null, 2);
}

/** One line per finding; further lines advise on a warning or problem. */
export function renderText(version: string, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat('problem'.length + width + 4);
  const lines = findings.flatMap(({ result, check, found, expected, advice }) => [
    `${result.padEnd('problem'.length)}  ${check.padEnd(width)}  ${oneLine(found)}`,
    ...(advice === undefined
      ? []
      : [`${indent}expected: ${oneLine(expected)}`, `${indent}to do: ${oneLine(advice)}`]),
  ]);
  const { problems, warnings } = summaryOf(findings);
  return [
    `heddle ${version}`,
    '',
    ...lines,
    '',
    `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}`,
  ].join('\n');
}

function oneLine(text: string): string {
  return shownLine(text.replace(/\s*\n\s*/g, '; '));
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

// The files of deploy/, parsed for the tests.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../../src/config/config.js';
import { packageRoot } from '../../../src/config/package-info.js';

export const DEPLOY: string = join(packageRoot(), 'deploy');

export function deployFile(name: string): string {
  return readFileSync(join(DEPLOY, name), 'utf8');
}

/** Why a test with a program is skipped, or false if the program is here. */
export function missing(program: string, ...args: readonly string[]): string | false {
  return spawnSync(program, args).status === 0 ? false : `there is no ${program} here`;
}

/** Text without comments, which begin with `#` on a line of their own. */
export function withoutComments(text: string): string {
  return text.replace(/^\s*#.*\n/gm, '');
}

/** `NAME=value` lines as an environment. */
export function environmentOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      assert.ok(at > 0, `not NAME=value: ${line}`);
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}

/** The configuration of a node with this environment. @throws ConfigError */
export function configFrom(environment: Readonly<Record<string, string>>): Config {
  return loadConfig({ flags: {}, environment, workingDirectory: '/' });
}

/** The values of a unit's keys, by section and key, in order. */
export function unitKeys(text: string): Map<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>();
  let section = '';
  for (const line of withoutComments(text).split('\n')) {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const name = `${section}.${key}`;
    keys.set(name, [...(keys.get(name) ?? []), value]);
  }
  return keys;
}

/** An instruction of a container file. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of each stage. */
export function containerStages(text: string): Instruction[][] {
  const stages: Instruction[][] = [];
  const lines = withoutComments(text)
    .replace(/\\\n\s*/g, '')
    .split('\n');
  for (const line of lines.filter((each) => each !== '')) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? assert.fail(line);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

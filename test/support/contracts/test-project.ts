import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTRACTS } from '../worlds/contract-world.js';

/** A struct whose unoptimized constructor has more parameters, of mixed types, than a contract may have. */
const WIDE = [
  '',
  '/// Many fields.',
  'struct Proposal {',
  ...Array.from({ length: 9 }, (_, at) => `  field_${at}: ${at % 2 === 0 ? 'u64' : 'address'};`),
  '}',
  '',
].join('\n');

/** A copy of the contract template with methods that fail in the middle of them. */
export class TestProject {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'heddle-test-project-'));

  constructor() {
    cpSync(join(CONTRACTS, 'template'), this.folder, { recursive: true });
    const counter = '/// A counter. Anyone';
    this.change('counter.idl', counter, `${WIDE.trim()}\n\n${counter}`);
    this.change(
      'counter.idl',
      '  method reset();',
      '  method divide(by: u64) -> u64;\n  method propose(what: Proposal) -> Proposal;\n  method reset();',
    );
    this.change('counter.idl', '  error NotOwner', '  error UnknownProposal { id: u64; }\n  error NotOwner');
    this.change(
      'assembly/counter.ts',
      'CounterInterface, emit, fail }',
      'CounterInterface, emit, fail, Proposal }',
    );
    this.change(
      'assembly/counter.ts',
      '  reset(): void {',
      [
        '  divide(by: u64): u64 {',
        '    let rest = this.countCell.get();',
        '    if (by == 7) {',
        '      rest += 1;',
        '    }',
        '    rest = rest / by;',
        '    this.countCell.set(rest);',
        '    return rest;',
        '  }',
        '',
        '  propose(what: Proposal): Proposal {',
        '    if (what.field_0 == 7) fail.UnknownProposal(what.field_0);',
        '    return what;',
        '  }',
        '',
        '  reset(): void {',
      ].join('\n'),
    );
    // Node looks for the package above the folder of a test.
    const at = join(this.folder, 'node_modules', 'heddle');
    mkdirSync(at, { recursive: true });
    symlinkSync(
      join(CONTRACTS, '..', 'node_modules', 'fast-check'),
      join(this.folder, 'node_modules', 'fast-check'),
    );
    const contracts = new URL('../../../src/contract-sdk/contracts.js', import.meta.url);
    writeFileSync(join(at, 'contracts.js'), `export * from ${JSON.stringify(contracts.href)};\n`);
    writeFileSync(
      join(at, 'package.json'),
      JSON.stringify({ name: 'heddle', type: 'module', exports: { './contracts': './contracts.js' } }),
    );
  }

  /** Replaces a text in a file. */
  change(file: string, from: string, to: string): void {
    const path = join(this.folder, file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) throw new Error(`${file} does not have ${from}`);
    writeFileSync(path, text.replace(from, to));
  }

  /** Number, from 1, of the first line of the contract's source with a text. */
  lineOf(text: string): number {
    const source = readFileSync(join(this.folder, 'assembly', 'counter.ts'), 'utf8');
    return source.split('\n').findIndex((line) => line.includes(text)) + 1;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

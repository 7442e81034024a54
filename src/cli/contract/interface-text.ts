import { IdlError } from '../../idl/compiler/diagnostics.js';
import {
  type Documented,
  type EnumDefinition,
  type EventFieldDefinition,
  typeText,
} from '../../idl/manifest.js';
import { CliError } from '../cli-error.js';
import { type ContractInterface, readInterface } from './contract-handle.js';

/** Lists the interface's items, or says that the text is invalid. */
export function interfaceText(idl: string): string {
  try {
    return describeInterface(readInterface(idl, 'interface'));
  } catch (error) {
    if (!(error instanceof IdlError) && !(error instanceof CliError)) throw error;
    return `the text on chain is not the interface of one contract: ${error.message}\n`;
  }
}

function describeInterface({ contract, manifest }: ContractInterface): string {
  const functions = (kind: 'method' | 'view') =>
    contract.functions
      .filter((each) => each.kind === kind)
      .map((each) => {
        const result = each.returns === undefined ? '' : ` -> ${typeText(each.returns)}`;
        const payable = each.payable === true ? '@payable ' : '';
        return entry(`${payable}${each.name}(${fields(each.params)})${result}`, each);
      });
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['methods', functions('method')],
    ['views', functions('view')],
    ['events', contract.events.map(record)],
    ['errors', contract.errors.map(record)],
    ['structs', manifest.structs.map(record)],
    ['enums', manifest.enums.map((each) => entry(`${each.name}: ${variants(each)}`, each))],
  ];
  const shown = parts.filter(([, entries]) => entries.length > 0);
  return `\n${contract.name}\n${shown.map(([title, entries]) => `\n${title}\n${entries.join('')}`).join('')}`;
}

/** One line: the signature with the first line of its documentation. */
function entry(signature: string, { doc }: Documented): string {
  const [first] = (doc ?? '').split('\n');
  return `  ${signature}\n${first === undefined || first === '' ? '' : `      ${first}\n`}`;
}

function record(definition: Documented & { readonly fields: readonly EventFieldDefinition[] }): string {
  return entry(`${definition.name} { ${fields(definition.fields)} }`, definition);
}

/** The variants as arguments name them. */
function variants({ variants: all }: EnumDefinition): string {
  return all
    .map(({ tag, payload }) => (payload === undefined ? tag : `${tag}(${typeText(payload)})`))
    .join(' | ');
}

function fields(definitions: readonly EventFieldDefinition[]): string {
  return definitions
    .map(({ name, type, optional, indexed }) => {
      const mark = indexed === true ? 'indexed ' : '';
      return `${mark}${name}${optional ? '?' : ''}: ${typeText(type)}`;
    })
    .join(', ');
}

import type { ContractProject } from './contract-project.js';
import { KIND, nodesOf, type Program, type ProgramSymbol, type SourceNode } from './source-tree.js';
import { fieldProblems, storageFields } from './storage-fields.js';

/** The compiler's `User_defined_0`. */
const USER_DEFINED = 102;

/** Reports mistakes that the compiler accepts but the engine or the SDK refuses later. */
export function checkSource(program: Program, { source, contract }: ContractProject): void {
  const file = program.filesByName.get(
    source.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\.ts$/, ''),
  );
  const contractClass = file?.lookup(contract.name);
  if (contractClass) {
    for (const { text, range } of fieldProblems(storageFields(program, contractClass))) {
      program.error(USER_DEFINED, range, text);
    }
  }
  for (const { sourceKind, internalPath, statements } of program.sources) {
    const scope = program.filesByName.get(internalPath);
    if (sourceKind > 1 || scope === undefined) continue;
    for (const node of statements.flatMap((statement) => [...nodesOf(statement)])) {
      const text = hostCall(node, scope);
      if (text !== undefined) program.error(USER_DEFINED, node.range, text);
    }
  }
}

/** Internal names of the compiler's library; the SDK is the package `heddle` beside it. */
const COMPILER_LIBRARY = /^~lib\/(?!heddle\/)/;

interface HostObject {
  readonly advice: string;
  /** The members that need a host; all of them if absent. */
  readonly members?: readonly string[];
}

const LOG = 'import { log } from "heddle", and log(text) appears in traces';
const TIME = 'import { blockTimestampMs } from "heddle" for the time of the block';
const RANDOM = 'every node must compute the same, so nothing is random';

/** What to do instead of calling functions of the compiler's library that need a host, by object. */
const HOST_OBJECTS: ReadonlyMap<string, HostObject> = new Map([
  ['console', { advice: LOG }],
  ['Date', { advice: TIME, members: ['now'] }],
  ['performance', { advice: TIME }],
  ['Math', { advice: RANDOM, members: ['random'] }],
  ['crypto', { advice: RANDOM }],
  ['process', { advice: 'they run in no process' }],
]);

/** The problem of a node that calls a function of the compiler's library that needs a host, such as `Date.now()`. */
function hostCall({ kind, expression }: SourceNode, scope: ProgramSymbol): string | undefined {
  if (kind !== KIND.call || expression === undefined) return undefined;
  const isBuiltIn = (name: string) => COMPILER_LIBRARY.test(scope.lookup(name)?.internalName ?? '');
  if (expression.kind === KIND.identifier) {
    return expression.text === 'trace' && isBuiltIn('trace') ? `contracts have no trace; ${LOG}` : undefined;
  }
  if (expression.kind !== KIND.propertyAccess) return undefined;
  // Of process.stdout.write, the object is process.
  const { text: object = '' } = expression.expression?.expression ?? expression.expression ?? {};
  const host = HOST_OBJECTS.get(object);
  const member = expression.property?.text ?? '';
  if (host === undefined || host.members?.includes(member) === false || !isBuiltIn(object)) return undefined;
  const { source, start, end } = expression.range;
  return `contracts have no ${source.text.slice(start, end)}; ${host.advice}`;
}

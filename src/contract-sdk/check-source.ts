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
      const called = consoleCall(node, scope);
      if (called === undefined) continue;
      const text = `contracts have no ${called}; import { log } from "heddle", and log(text) appears in traces`;
      program.error(USER_DEFINED, node.range, text);
    }
  }
}

/** The name of a function of `console`, if the node calls one. */
function consoleCall({ kind, expression }: SourceNode, scope: ProgramSymbol): string | undefined {
  if (kind !== KIND.call || expression?.kind !== KIND.propertyAccess) return undefined;
  if (expression.expression?.text !== 'console') return undefined;
  const isBuiltIn = scope.lookup('console')?.internalName.startsWith('~lib/') === true;
  return isBuiltIn ? `console.${expression.property?.text}` : undefined;
}

import type { NameNode } from './ast.js';
import { type DiagnosticSink, place, type Span } from './diagnostics.js';

/** Reports duplicate names among the members of one declaration. */
export function checkUnique(
  nodes: readonly { readonly name: NameNode }[],
  what: string,
  sink: DiagnosticSink,
): void {
  const seen = new Map<string, Span>();
  for (const { name } of nodes) {
    const earlier = seen.get(name.text);
    if (earlier === undefined) seen.set(name.text, name.span);
    else sink.report(name.span, () => `${name.text} is already a ${what}, declared in ${place(earlier)}`);
  }
}

/** Reports names that every JavaScript object inherits: reading such a member gives a value even if it was not sent. */
export function checkReserved({ text, span }: NameNode, sink: DiagnosticSink): void {
  if (!(text in Object.prototype)) return;
  sink.report(span, `${text} is reserved, because every JavaScript object has it; choose another name`);
}

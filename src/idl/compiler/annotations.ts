import type { Documented, Tier } from '../manifest.js';
import type { AnnotationNode, Attributes } from './ast.js';
import type { DiagnosticSink } from './diagnostics.js';

/** The kinds of declarations that take annotations. */
export type AnnotationPlace =
  | 'method of an interface'
  | 'method of a contract'
  | 'field'
  | 'alias'
  | 'declaration';

interface AnnotationRule {
  readonly usage: string;
  readonly literal: 'word' | 'integer' | 'string' | 'none';
  /** Undefined if the annotation is allowed on all declarations. */
  readonly places?: readonly AnnotationPlace[];
}

/** The annotations. The table in docs/idl.md is made of these rules and their comments. */
export const ANNOTATIONS: ReadonlyMap<string, AnnotationRule> = new Map<string, AnnotationRule>([
  /** Who may call the method: anyone, callers that the node's paid access admits, or administrators. Default: public. */
  [
    'tier',
    {
      usage: '@tier(public), @tier(paid) or @tier(admin)',
      literal: 'word',
      places: ['method of an interface'],
    },
  ],
  /** Compute units that a call charges, 0 to 4294967295. Default: 1. */
  ['cost', { usage: '@cost(units)', literal: 'integer', places: ['method of an interface'] }],
  /** The version that introduced the declaration, for documentation. */
  ['since', { usage: '@since("1.0")', literal: 'string' }],
  /** What to use instead. Generated TypeScript marks the declaration, so that editors strike it through. */
  ['deprecated', { usage: '@deprecated("use x")', literal: 'string' }],
  /** A second identical call has another effect: clients do not repeat a call that may have arrived. */
  ['once', { usage: '@once', literal: 'none', places: ['method of an interface'] }],
  /** The result may be cached once the block or transaction that the parameters name is final. */
  ['immutable', { usage: '@immutable', literal: 'none', places: ['method of an interface'] }],
  /** The method accepts native balance. A call of any other method reverts if it carries some. */
  ['payable', { usage: '@payable', literal: 'none', places: ['method of a contract'] }],
  /** Maximum number of items of a list, bytes of `bytes`, or UTF-8 bytes of a string, 0 to 4294967295. */
  ['max', { usage: '@max(n)', literal: 'integer', places: ['field', 'alias'] }],
]);

const TIERS: ReadonlySet<string> = new Set<Tier>(['public', 'paid', 'admin']);

/** The validated annotations of one declaration. */
export interface Annotations {
  readonly tier?: Tier;
  readonly cost?: number;
  readonly since?: string;
  readonly deprecated?: string;
  readonly once?: true;
  readonly immutable?: true;
  readonly payable?: true;
  readonly max?: number;
  /** The `max` annotation, for errors that depend on the annotated type. */
  readonly maxNode?: AnnotationNode;
}

export function readAnnotations(
  nodes: readonly AnnotationNode[],
  place: AnnotationPlace,
  sink: DiagnosticSink,
): Annotations {
  const values: { -readonly [K in keyof Annotations]: Annotations[K] } = {};
  const seen = new Set<string>();
  for (const node of nodes) {
    const { text: name, span } = node.name;
    const rule = ANNOTATIONS.get(name);
    if (rule === undefined) {
      const known = [...ANNOTATIONS.keys()].map((k) => `@${k}`).join(', ');
      sink.report(span, `unknown annotation @${name}; known are ${known}`);
      continue;
    }
    if (seen.has(name)) {
      sink.report(span, `@${name} is given twice`);
      continue;
    }
    seen.add(name);
    if (rule.places !== undefined && !rule.places.includes(place)) {
      const where = rule.places.map((p) => (p === 'alias' ? 'a type alias' : `a ${p}`)).join(' or ');
      sink.report(span, `@${name} belongs on ${where}`);
      continue;
    }
    const literal = node.arguments[0];
    if (rule.literal === 'none') {
      if (node.arguments.length > 0) sink.report(literal?.span ?? span, `expected ${rule.usage}`);
      else if (name === 'once') values.once = true;
      else if (name === 'immutable') values.immutable = true;
      else values.payable = true;
      continue;
    }
    if (node.arguments.length !== 1 || literal === undefined || literal.kind !== rule.literal) {
      sink.report(literal?.span ?? span, `expected ${rule.usage}`);
      continue;
    }
    switch (name) {
      case 'tier':
        if (TIERS.has(literal.text)) values.tier = literal.text as Tier;
        else sink.report(literal.span, `expected ${rule.usage}, got ${literal.text}`);
        break;
      case 'cost':
      case 'max': {
        const number = Number(literal.text);
        if (number < 0 || number > 0xffff_ffff) {
          sink.report(literal.span, `expected an integer from 0 to 4294967295, got ${literal.text}`);
          break;
        }
        values[name] = number;
        if (name === 'max') values.maxNode = node;
        break;
      }
      case 'since':
        values.since = literal.text;
        break;
      default:
        values.deprecated = literal.text;
    }
  }
  return values;
}

/** The doc comment, version and deprecation of a declaration; missing ones are omitted. */
export function documentation(lead: Attributes, annotations: Annotations): Omit<Documented, 'name'> {
  return {
    ...(lead.doc.length > 0 && { doc: lead.doc.join('\n').trim() }),
    ...(annotations.since !== undefined && { since: annotations.since }),
    ...(annotations.deprecated !== undefined && { deprecated: annotations.deprecated }),
  };
}

import type { SimMessage } from './model.js';

/** Kinds of messages by what their loss prevents. */
export const MESSAGE_KINDS = [
  'notarize',
  'nullify',
  'finalize',
  'finalize',
  'notarization',
  'nullification',
  'finalization',
  'proposal',
  'block',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number] | 'finalized';

const CERTIFICATES = {
  notarize: 'notarization',
  nullify: 'nullification',
  finalize: 'finalization',
} as const satisfies Record<string, MessageKind>;

/** The kind of a message; undefined for requests. */
export function kindOf(message: SimMessage): MessageKind | undefined {
  switch (message.type) {
    case 'vote':
      return message.vote.kind;
    case 'certificate':
      return CERTIFICATES[message.certificate.kind];
    case 'proposal':
    case 'block':
    case 'finalized':
      return message.type;
    default:
      return undefined;
  }
}

import type { CeremonyFault, CeremonyFaultCode } from '../../generated/mesh.js';

export type FaultCode = CeremonyFaultCode['type'];

/** Why an attempt failed, or why the ceremony cannot end, and the participants at fault. */
export interface CeremonyFailure {
  readonly code: FaultCode;
  /**
   * Indices, ascending; one of them is at fault. A report of another participant that this one cannot verify names the
   * accuser beside the accused, so an honest participant is never named alone.
   */
  readonly participants: readonly number[];
  readonly message: string;
}

const TEXTS: Readonly<Record<FaultCode, string>> = {
  silent: 'did not respond in time',
  equivocation: 'signed two different messages',
  malformed: 'signed a message that breaks the rules',
  garbage: 'dealt a wrong evaluation, and sealed another when asked for it',
  false_complaint: 'complained about a valid evaluation',
  no_key: 'dealt so that a key would be infinity',
  dissent: 'approved another transcript than the messages make',
  restarted: 'restarted',
};

export function foundFailure({ code, participants }: CeremonyFault, detail?: string): CeremonyFailure {
  const text = TEXTS[code.type];
  const what = detail === undefined ? text : `${text} (${detail})`;
  return { code: code.type, participants, message: `${names(participants)} ${what}` };
}

/** A failure that another participant reports. */
export function reportedFailure(accuser: number, { code, participants }: CeremonyFault): CeremonyFailure {
  if (code.type === 'restarted') return foundFailure({ code, participants: [accuser] });
  const message = `participant ${accuser} says that ${names(participants)} ${TEXTS[code.type]}; either may be wrong`;
  return { code: code.type, participants: ascending([accuser, ...participants]), message };
}

export function fault(code: FaultCode, participants: readonly number[]): CeremonyFault {
  return { code: { type: code }, participants: ascending(participants) };
}

function ascending(participants: readonly number[]): number[] {
  return [...new Set(participants)].sort((a, b) => a - b);
}

function names(participants: readonly number[]): string {
  if (participants.length === 0) return 'nobody';
  return participants.length === 1
    ? `participant ${participants[0]}`
    : `participants ${participants.join(', ')}`;
}

import type { CodeFacts, FramePurpose } from '../engine.js';

/** The functions by which a contract can be entered, as modules export them. */
export type EntryPoint = 'invoke' | 'init' | 'migrate';

export const ENTRY_POINTS: readonly EntryPoint[] = ['invoke', 'init', 'migrate'];

const ENTRY_BY_PURPOSE: Readonly<Record<FramePurpose, EntryPoint>> = {
  call: 'invoke',
  deploy: 'init',
  upgrade: 'migrate',
};

/** The function that a frame enters. */
export function entryPointOf(purpose: FramePurpose): EntryPoint {
  return ENTRY_BY_PURPOSE[purpose];
}

/** What having these functions means. */
export function purposesOf(entryPoints: readonly EntryPoint[]): Pick<CodeFacts, 'onDeploy' | 'onUpgrade'> {
  return {
    onDeploy: entryPoints.includes('init') ? 'runs' : 'nothing',
    onUpgrade: entryPoints.includes('migrate') ? 'runs' : 'nothing',
  };
}

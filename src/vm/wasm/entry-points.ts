import type { CodeFacts, FramePurpose } from '../engine.js';

/** Entry points of a contract, as modules export them. */
export type EntryPoint = 'invoke' | 'init' | 'migrate';

export const ENTRY_POINTS: readonly EntryPoint[] = ['invoke', 'init', 'migrate'];

/** The entry point for a frame's purpose. */
export const ENTRY_BY_PURPOSE: Readonly<Record<FramePurpose, EntryPoint>> = {
  call: 'invoke',
  deploy: 'init',
  upgrade: 'migrate',
};

/** Returns whether deploying code with these entry points, or upgrading to it, runs a frame. */
export function purposesOf(entryPoints: readonly EntryPoint[]): Pick<CodeFacts, 'onDeploy' | 'onUpgrade'> {
  return {
    onDeploy: entryPoints.includes('init') ? 'runs' : 'nothing',
    onUpgrade: entryPoints.includes('migrate') ? 'runs' : 'nothing',
  };
}

import { parse } from 'yaml';
import { deployFile } from './deploy-files.js';

/** A rule of deploy/alerts.yaml. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string };
}

export function alertRules(): readonly AlertRule[] {
  const { groups } = parse(deployFile('alerts.yaml')) as {
    readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

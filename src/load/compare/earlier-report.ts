import { readFileSync, statSync } from 'node:fs';
import * as v from 'valibot';
import { errorMessage } from '../../base/errors.js';
import { shownLine } from '../../base/shown-text.js';
import { LoadError } from '../load-error.js';
import { type EarlierReport, REPORT_KIND, reportSchema } from '../load-report.js';

/** A report of a day in spans of seconds has a few megabytes. */
const MAX_BYTES = 64 * 1_024 * 1_024;

/**
 * Reads a report to compare with.
 * @throws LoadError `bad_report`
 */
export function readEarlierReport(path: string): EarlierReport {
  const value = parsed(path, contentOf(path));
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  if (typeof kind === 'string' && kind !== REPORT_KIND && kind.startsWith('heddle load report ')) {
    throw bad(path, `it is a ${shownLine(kind.slice(0, 40))}, and this version reads ${REPORT_KIND}`);
  }
  const result = v.safeParse(reportSchema, value);
  if (result.success) return result.output;
  throw bad(path, `it is no report of "heddle load --report": ${problemOf(result.issues[0])}`);
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const place = v.getDotPath(issue);
  if (place === null) return issue.message;
  // JSON has no undefined: the member is not there.
  return issue.received === 'undefined' ? `${place} is missing` : `${place}: ${issue.message}`;
}

function contentOf(path: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw bad(path, `expected at most ${MAX_BYTES} bytes, got ${size}`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof LoadError) throw error;
    throw new LoadError('bad_report', `--compare: cannot read ${path}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

function parsed(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw bad(path, `expected JSON: ${errorMessage(error)}`);
  }
}

function bad(path: string, why: string): LoadError {
  return new LoadError('bad_report', `--compare ${path}: ${shownLine(why)}`);
}

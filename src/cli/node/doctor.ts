import { connect } from '../../client/client.js';
import { packageVersion } from '../../config/package-info.js';
import type { CliCommand, CommandContext } from '../cli-command.js';
import { ReportedFailure } from '../cli-error.js';
import { listOf } from '../option-parsers.js';
import { addAllNodeOptions, configOf } from './node-options.js';

interface DoctorOptions {
  readonly json?: boolean;
  readonly url?: readonly string[];
}

export function registerDoctorCommand(program: CliCommand, context: CommandContext): void {
  const command = program
    .command('doctor')
    .json('print JSON: version, problems, warnings, findings')
    .option(
      '--url <URL>',
      'node to compare the clock with, besides the followed ones; may be repeated (default: HEDDLE_URL)',
      listOf(String),
    );
  addAllNodeOptions(command);
  command
    .notes(
      'Takes the options of "heddle start" from the same places: flags, variables, and the file of --config. Changes',
      'nothing, prints no secret, and works beside a running node. Run it as the user who runs the node.',
      'Exit code 0: no problem, though maybe warnings. Exit code 1: problems. Exit code 2: wrong usage.',
    )
    .examples(
      'heddle doctor --data-dir /var/lib/heddle',
      'heddle doctor --config node.json --json | jq -r \'.findings[] | select(.result != "ok") | .found\'',
    )
    .action(async (options: DoctorOptions, self: CliCommand) => {
      const config = configOf(self, context);
      const variable = context.environment['HEDDLE_URL'];
      const urls = options.url ?? (variable ? [variable] : []);
      // Throws for a malformed URL, which is wrong usage, not a finding.
      for (const url of urls) connect(url);
      const { examine, renderJson, renderText, summaryOf } = await import('./doctor/examine.js');
      const findings = await examine(config, urls, context.environment['CREDENTIALS_DIRECTORY']);
      const render = options.json === true ? renderJson : renderText;
      context.console.out(`${render(packageVersion(), findings)}\n`);
      if (summaryOf(findings).problems > 0) throw new ReportedFailure();
    });
}

import { KrisisError } from '../core/errors.ts';
import { DOMAINS } from '../domains/domains.ts';
import { BUILT_IN_SUITES } from '../domains/find-suite.ts';
import { fitLines } from '../reports/layout/fit-lines.ts';
import { verdictsText } from '../runs/gates/verdicts-text.ts';
import { QUESTION_SUITES } from '../suites/questions/find-question-suite.ts';
import { domainTables } from './output/domain-tables.ts';
import { type RunsOutcome, runsJson } from './output/runs-json.ts';
import { printMessage, textWidth } from './print.ts';

const ALL = 'all';
/** From harmless to grave, as for several models of one suite. */
const BY_GRAVITY = [0, 3, 2, 1, 130];

/** Whether a name means several suites: a domain that has suites, or `all`. */
export function isGroupName(name: string | undefined): name is string {
  return name === ALL || DOMAINS.some((domain) => domain.name === name);
}

/** The suites of a domain, or every suite that comes with Krisis; open questions need a judge. */
function suitesInGroup(name: string, hasJudge: boolean) {
  const built = BUILT_IN_SUITES.map((suite) => suite.name);
  if (name !== ALL) return { suites: built.filter((suite) => suite.startsWith(`${name}/`)), skipped: [] };
  const open = QUESTION_SUITES.map((suite) => suite.name);
  const reason = 'open questions need a judge: add --judge';
  return hasJudge
    ? { suites: [...built, ...open], skipped: [] }
    : { suites: built, skipped: open.map((suite) => ({ suite, reason })) };
}

/**
 * Runs the suites of a group, a run file each, and prints one table per domain: tasks are not pooled. A suite that does not take the options that were typed is listed as skipped. The exit code is the worst of all.
 */
export async function runGroup(
  name: string,
  { hasJudge, isJson }: { readonly hasJudge: boolean; readonly isJson: boolean },
  runSuite: (suite: string, show: (...outcome: RunsOutcome) => void) => Promise<void>,
): Promise<void> {
  const { suites, skipped: left } = suitesInGroup(name, hasJudge);
  const skipped: { suite: string; reason: string }[] = [...left];
  const outcomes: RunsOutcome[] = [];
  const codes: number[] = [];
  for (const suite of suites) {
    process.exitCode = 0;
    try {
      await runSuite(suite, (...outcome) => outcomes.push(outcome));
    } catch (error) {
      if (!(error instanceof KrisisError && error.code === 'ERR_SUITE_OPTION')) throw error;
      skipped.push({ suite, reason: error.message });
      continue;
    }
    codes.push(Number(process.exitCode ?? 0));
    if (codes.at(-1) === 130) break;
  }
  if (codes.length === 0 && skipped.length > 0)
    throw new KrisisError(skipped.at(-1)!.reason, { code: 'ERR_SUITE_OPTION', value: name });
  const runs = outcomes.flatMap(([suiteRuns]) => suiteRuns);
  const verdicts = outcomes.flatMap(([, suiteVerdicts]) => suiteVerdicts);
  if (isJson) {
    const leftOut = outcomes.flatMap(([, , skippedModels]) => skippedModels);
    const { $schema, ...whole } = JSON.parse(runsJson(runs, { verdicts, leftOut }));
    // Always a list, whatever the number of suites.
    const listed = runs.length === 1 && leftOut.length === 0 ? { runs: [whole] } : whole;
    process.stdout.write(`${JSON.stringify({ $schema, ...listed, skipped }, null, 2)}\n`);
  } else {
    const width = textWidth();
    if (runs.length > 0) process.stdout.write(domainTables(runs, width));
    process.stdout.write(fitLines(verdictsText(verdicts), width));
    for (const { suite, reason } of skipped) printMessage(`skipped ${suite}: ${reason}\n`);
  }
  process.exitCode = BY_GRAVITY[Math.max(0, ...codes.map((code) => BY_GRAVITY.indexOf(code)))] ?? 2;
}

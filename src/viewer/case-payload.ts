import { canonicalJson } from '../core/canonical-json.ts';
import { KrisisError } from '../core/errors.ts';
import { queryRun } from '../store/open-database.ts';
import { recordsAt } from '../store/queries/page-of-records.ts';
import { MAX_CUT, recordDetails } from '../store/queries/record-details.ts';
import type { RecordLine } from '../store/queries/record-line.ts';
import type { CasePayload, QuestionsPayload, RunLine } from './api.ts';
import { type CaseFacts, type CaseRun, caseSections } from './case-sections.ts';
import { hidesText, type OpenRun, type OpenRuns } from './open-runs.ts';
import { questionsPayload } from './questions-payload.ts';
import { quickRunPayload, runPayload, storedRun } from './run-payload.ts';
import { readIndex, shownLine } from './shown-lines.ts';
import { withoutText } from './withhold-text.ts';

interface CaseParams {
  readonly suite: string;
  readonly record: string;
}

/** One case in every run of its suite: what each model did with it, and how often in its repeats. */
export function casePayload(runs: OpenRuns, { suite, record }: CaseParams): CasePayload {
  const lines = runs.list().runs.filter((line) => line.suite === suite && !line.notes.hidden);
  const asked = lines.flatMap((line) => readCase(runs, line, record) ?? []);
  if (asked.length === 0)
    throw new KrisisError(
      `${record}: no run of ${suite} here has this case; see the list of runs (hidden runs are left out)`,
      { code: 'ERR_RECORD_NOT_FOUND', value: record },
    );
  const hides = asked.some(({ run }) => hidesText(run));
  const withheld = runs.mayWithhold && hides;
  const sections = withheld ? [] : caseSections(record, asked, lines.length);
  const without = hides
    ? caseSections(
        record,
        asked.map((one) => withoutCaseText(runs, one)),
        lines.length,
      )
    : undefined;
  return {
    suite,
    record,
    sections: withheld ? without! : sections,
    ...(!withheld && without && { sections_without_text: without }),
    hides_text: hides,
  };
}

/** What a run has of the case; null where it was not asked. */
function readCase(runs: OpenRuns, line: RunLine, record: string): CaseRun | null {
  const run = runs.find(line.id);
  if (line.kind === 'questions') {
    const answers = readAnswers(runs, line).filter(({ id }) => id === record);
    return answers.length === 0 ? null : { run: line, lines: [], answers, facts: readFacts(run, record) };
  }
  const lines = readLines(runs, run, record);
  return lines.length === 0 ? null : { run: line, lines, answers: [], facts: readFacts(run, record) };
}

function readAnswers(runs: OpenRuns, { id, status }: RunLine): QuestionsPayload['evaluation_results'] {
  // Judging a run that is being written would take long, and be outdated at once.
  return status === 'running' ? [] : questionsPayload(runs, { id }).evaluation_results;
}

/** The rows of the case, a repeat each. */
function readLines(runs: OpenRuns, run: OpenRun, record: string): RecordLine[] {
  const stored = storedRun(runs, run);
  if (stored === null) {
    const index = readIndex(runs, run);
    return index.findPlaces(record).map((place): RecordLine => JSON.parse(index.lines[place]!));
  }
  const { payload, actLabels, repeats } = stored;
  const { stratum, subgroups, emergency_rule: rule } = payload;
  const places = Array.from({ length: repeats }, (_, repeat) => ({ id: record, repeat }));
  return queryRun(run.path, (file) => recordsAt(file, places, { stratum, subgroups, rule, actLabels })).map(
    shownLine(runs, run),
  );
}

/** What the case is, as far as the run file has it. */
function readFacts(run: OpenRun, record: string): CaseFacts {
  return queryRun(
    run.path,
    (file) => {
      const { features, metadata } = recordDetails(file, { id: record, repeat: 0 });
      // Run files have no features of protected suites; if one did, they would not be shown.
      const shown = hidesText(run.line) ? null : features;
      return { features: shown, metadata, key: features === null ? null : canonicalJson(features) };
    },
    { maxCellBytes: MAX_CUT },
  );
}

function withoutCaseText(runs: OpenRuns, one: CaseRun): CaseRun {
  if (!hidesText(one.run)) return one;
  const facts = { features: null, metadata: {}, key: null };
  if (one.run.kind === 'questions')
    return { ...one, facts, answers: one.answers.map((answer) => ({ ...answer, question: null })) };
  const { line } = withoutText(quickRunPayload(runs, one.run) ?? runPayload(runs, one.run));
  return { ...one, lines: one.lines.map(line), facts };
}

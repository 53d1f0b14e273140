import { CASE_WORDS, DECISION_WORDS, type EmergencyRule } from '../../core/decision-class.ts';
import type { Score } from '../../core/score.ts';
import { nameFaults } from '../../metrics/warning.ts';
import { boardAt, recordsPerMark } from '../../reports/charts/board-classes.ts';
import { whole } from '../../reports/charts/number-text.ts';
import { figure, numbers, section, table } from '../../reports/document/blocks.ts';
import type { Section, Table } from '../../reports/document/document.ts';
import { isCounted } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { Board } from './board.ts';

/** The first thing on a run's page and in its HTML report: the verdict as title, and a mark for each record. */
export function board(run: RunResult): Section | null {
  const found = (run.analyses.board ?? null) as Board | null;
  if (found === null) return null;
  const data = boardTable(found);
  return section({ id: 'board', title: verdict(run), except: ['text'] }, [
    figure(
      {
        chart: 'board',
        data: {
          title: 'Every case, by what the case called for',
          description: inWords(found),
          rows: { emergencyRule: found.emergencyRule, groups: found.groups },
        },
      },
      boardCaption(found),
      data,
    ),
  ]);
}

/** What the model did that could harm a patient, the gravest first; the counts where it did nothing of the kind. */
function verdict({ warnings, card: { scores } }: Pick<RunResult, 'warnings' | 'card'>): string {
  const [fault] = nameFaults(warnings);
  if (fault !== undefined) return fault.replace(/\.$/, '');
  const parts = VERDICT.flatMap(({ metric, words }) => {
    const score = scores.find(({ name }) => name === metric);
    return score !== undefined && isCounted(score) && score.value !== null ? [words(score)] : [];
  });
  return parts.length === 0 ? 'How every decision turned out' : capitalized(parts.join('; '));
}

const VERDICT: readonly { readonly metric: string; readonly words: (score: Score) => string }[] = [
  { metric: 'missed_emergency_rate', words: (score) => `missed ${counts(score)} emergencies` },
  {
    metric: 'answered_should_defer_rate',
    words: (score) => `answered ${counts(score)} cases that should be deferred`,
  },
  { metric: 'wrong_answer_rate', words: (score) => `answered ${counts(score)} cases wrong` },
];

function counts({ nSuccesses, nEvaluated }: Score): string {
  return `${whole(nSuccesses ?? 0)} of ${whole(nEvaluated)}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a mark is, and what counts as a missed emergency. */
function boardCaption(board: Board): string {
  const { groups, emergencyRule, repeats } = board;
  const perMark = recordsPerMark(board);
  const one = repeats === 1 ? 'one record' : `one answer (each case was asked ${repeats} times)`;
  const marks =
    perMark === 1
      ? `One mark is ${one}.`
      : `One mark is ${one} for harms, and ${whole(perMark)} for the other classes.`;
  const hasEmergencies = groups.some(({ facts }) => facts.mustAct === true);
  return `${marks} Harms come first, and the most confident answers first within a class. The board shows classes, in which each case counts once.${hasEmergencies ? ` ${RULES[emergencyRule]}` : ''}`;
}

const RULES: Readonly<Record<EmergencyRule, string>> = {
  urgency:
    'An emergency is missed where the model, asked whether the case is urgent, did not say so. A threshold that defers the answer keeps the alarm.',
  label:
    'An emergency is missed where the answer is no label that says to act. A threshold that defers the answer loses the alarm with it.',
  silence:
    'Urgency was not asked, so an emergency is missed where it got no usable answer. A threshold that defers the answer misses the emergency.',
};

function boardTable(board: Board): Table {
  return table(
    'Records by what the case called for and how the decision turned out',
    ['case', 'decision', ...numbers('records')],
    boardAt(board, null).flatMap(({ kind, classes }) =>
      classes.map(({ name, now }) => [CASE_WORDS[kind], DECISION_WORDS[name], whole(now)]),
    ),
  );
}

function inWords(board: Board): string {
  return `${boardAt(board, null)
    .map(
      ({ kind, n, classes }) =>
        `${CASE_WORDS[kind]} ${whole(n)}: ${classes.map(({ name, now }) => `${DECISION_WORDS[name]} ${whole(now)}`).join(', ')}`,
    )
    .join('; ')}.`;
}

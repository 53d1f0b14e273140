import { paragraph, section } from '../../reports/document/blocks.ts';
import type { Block, Section } from '../../reports/document/document.ts';
import { counted, inWords, joined } from '../../reports/words.ts';
import type { TypedCheck } from '../../rubrics/checks/typed-check.ts';
import { itemEffect } from './item-effect.ts';
import type { JudgedAnswer } from './judged-answers.ts';
import type { JudgedResult } from './judged-result.ts';
import type { ItemResult } from './score-metric-trait.ts';

/** The most answers on a page; the JSON report has all of them. */
const MAX_ANSWERS = 500;

/** Every answer with its quotes marked, and each instruction with verdict and quote. */
export function evidence({ judging: { answers } }: JudgedResult): Section {
  const left = answers.length - MAX_ANSWERS;
  return section({ id: 'evidence', title: 'Evidence' }, [
    paragraph(
      'Quotes of the judge are marked in the answer, each followed by the number of its instruction and the verdict: a solid line supports the answer, a dashed line counts against it, a dotted line is not scored. The judge quoted nothing from text that is not marked.',
      { except: ['text', 'md'] },
    ),
    ...answers.slice(0, MAX_ANSWERS).map(showAnswer),
    left > 0 && paragraph(`And ${left} more answers: the JSON report has all of them.`),
  ]);
}

/** The anchor of an answer's evidence; null where the page does not show it. */
export function evidenceId(answers: readonly JudgedAnswer[], answer: JudgedAnswer): string | null {
  const place = answers.indexOf(answer);
  return place >= 0 && place < MAX_ANSWERS ? `answer-${place + 1}` : null;
}

/** An answer's question, and the repeat where there are several answers to it. */
export function answerName({ id, repeat }: Pick<JudgedAnswer, 'id' | 'repeat'>): string {
  return repeat === 0 ? id : `${id} (repeat ${repeat + 1})`;
}

function showAnswer(answer: JudgedAnswer, place: number): Block {
  return {
    kind: 'evidence',
    id: `answer-${place + 1}`,
    name: answerName(answer),
    state: stateText(answer),
    question: answer.question,
    answer: answer.answer,
    items: answer.metricTraits
      .flatMap(({ items }) => items)
      .map((item, i) => ({
        ...item,
        number: i + 1,
        verdict: verdictText(item),
        effect: itemEffect({ isScored: item.counts !== null, kind: item.kind, verdict: item.class }),
      })),
    traits: answer.otherTraits.map(({ trait, source, outcome, explanation, quotes }) => ({
      explanation,
      quotes,
      name: trait.name,
      source,
      value: outcome.kind === 'unscored' ? `unscored: ${inWords(outcome.reason)}` : String(outcome.value),
    })),
  };
}

function verdictText(item: ItemResult): string {
  const scored = item.counts === null ? ', not scored' : '';
  const why = item.reason === null ? '' : ` (${inWords(item.reason)})`;
  const value = item.value === null ? '' : `; value "${item.value}", ${checkText(item)}`;
  const explained = item.explanation ? `: ${item.explanation}` : '';
  return `${inWords(item.class)}${scored}${why}${value}${explained}`;
}

/** What code compared the value with. */
function checkText({ check }: ItemResult): string {
  if (check === undefined) return 'not compared';
  return `compared by code with ${wantedText(check)}`;
}

function wantedText(check: TypedCheck): string {
  if ('number' in check) {
    const { number, unit, tolerance = 0 } = check;
    return joined([String(number), tolerance > 0 && `± ${tolerance}`, unit], ' ')!;
  }
  if ('date' in check)
    return check.tolerance_days ? `${check.date} ± ${counted(check.tolerance_days, 'day')}` : check.date;
  if ('one_of' in check) return `one of ${check.one_of.join(', ')}`;
  return `the pattern ${check.regex}`;
}

/** How an answer ended, in a line. */
function stateText(answer: JudgedAnswer): string {
  const { state, stateReason, abstained, abstainedReason, shouldAbstain } = answer;
  const what =
    state !== 'answered'
      ? `${inWords(state)}${stateReason === null ? '' : ` (${inWords(stateReason)})`}`
      : abstained === null
        ? `answered; whether it defers is not known (${inWords(abstainedReason)})`
        : abstained
          ? 'deferred'
          : 'answered';
  return shouldAbstain === null ? what : `${what}; should ${shouldAbstain ? 'abstain' : 'answer'}`;
}

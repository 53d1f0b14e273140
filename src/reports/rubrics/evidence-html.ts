import type { ItemResult, JudgedAnswer } from '../../results/index.ts';
import { html, type Markup, table } from '../html/index.ts';
import { type EvidenceItem, evidenceItems, outcomeText, stateText, verdictText } from './evidence-items.ts';
import { markedAnswer } from './marked-answer.ts';
import { answerName, words } from './trait-cells.ts';

/** More answers than this nobody reads in a page; the JSON has all of them. */
const MOST_ANSWERS = 500;

/** Every answer with its quotes marked, and each instruction with verdict and quote. */
export function evidenceSection(answers: readonly JudgedAnswer[]): Markup {
  const left = answers.length - MOST_ANSWERS;
  return html`<p>Quotes of the judge are marked in the answer, each followed by the number of its instruction and the verdict: an unbroken line
speaks for the answer, a broken one against it, a dotted one is not scored. What is not marked, nobody quoted.</p>
${answers.slice(0, MOST_ANSWERS).map(evidence)}
${left > 0 ? html`<p class="muted">And ${left} more answers: the JSON has all of them.</p>` : null}`;
}

/** Where the evidence of an answer stands in the page; null where it does not. */
export function evidenceId(answers: readonly JudgedAnswer[], answer: JudgedAnswer): string | null {
  const place = answers.indexOf(answer);
  return place >= 0 && place < MOST_ANSWERS ? `answer-${place + 1}` : null;
}

function evidence(answer: JudgedAnswer, place: number): Markup {
  const items = evidenceItems(answer);
  return html`<details class="evidence" id="answer-${place + 1}"><summary><strong>${answerName(answer)}</strong> ${stateText(answer)}</summary>
${answer.question === null ? html`<p class="muted">The question is protected, and not in the run.</p>` : html`<p>${answer.question}</p>`}
${answer.answer === null ? html`<p class="muted">There is no answer.</p>` : html`<div class="answer">${marked(answer.answer, items)}</div>`}
${items.length === 0 ? null : itemTable(answerName(answer), items)}
${otherTable(answer)}</details>
`;
}

function marked(answer: string, items: readonly EvidenceItem[]): Markup[] {
  return markedAnswer(answer, items).map(({ text, items: own, ends }) => {
    const labels = ends.map((item) => html`<span class="label">[${item.number} ${words(item.class)}]</span>`);
    if (own.length === 0) return html`${text}${labels}`;
    const effects = [...new Set(own.map(effectOf))];
    // Where quotes overlap, what speaks against the answer must not be hidden.
    const effect = (['against', 'open', 'for'] as const).find((name) => effects.includes(name))!;
    return html`<mark class="${effect}${own.length > 1 ? ' several' : ''}">${text}</mark>${labels}`;
  });
}

function effectOf({ counts, kind, class: found }: ItemResult): 'for' | 'against' | 'open' {
  if (counts === null) return 'open';
  const isAgainst = kind === 'required' ? found === 'contradicted' : found === 'present';
  return isAgainst ? 'against' : 'for';
}

function itemTable(name: string, items: readonly EvidenceItem[]): Markup {
  return table({
    caption: `Instructions for ${name}`,
    hideCaption: true,
    className: 'wide',
    columns: [
      { title: 'no.' },
      { title: 'trait' },
      { title: 'kind' },
      { title: 'instruction', kind: 'text' },
      { title: 'verdict' },
      { title: 'quote', kind: 'text' },
    ],
    rows: items.map((item) => [
      item.number,
      item.traitName,
      item.kind,
      item.instruction,
      html`<strong>${verdictText(item)}</strong>`,
      item.quotes.map(
        ({ text, start }, i) =>
          html`${i === 0 ? null : html`<br>`}${start === null ? 'not in the answer: ' : null}<q>${text}</q>`,
      ),
    ]),
  });
}

function otherTable(answer: JudgedAnswer): Markup | null {
  if (answer.otherTraits.length === 0) return null;
  return table({
    caption: `Other traits of ${answerName(answer)}`,
    hideCaption: true,
    columns: [{ title: 'trait' }, { title: 'kind' }, { title: 'value', kind: 'text' }],
    rows: answer.otherTraits.map((result) => [result.trait.name, result.source, outcomeText(result)]),
  });
}

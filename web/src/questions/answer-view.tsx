import { useState } from 'react';
import { itemEffect, markedAnswer } from '../../../src/viewer/browser.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { number, words } from '../parts/words.ts';
import type { AnswerLine, SaidOfItem } from './question-scores.ts';

type VerdictLine = AnswerLine['rubric']['verdicts'][number];

interface NumberedVerdict extends VerdictLine {
  /** From 1, counted over all traits of the answer. */
  readonly number: number;
}

/** Text of a protected suite remains visible while the page is open. */
let textWasAsked = false;

interface AnswerProps {
  readonly answer: AnswerLine;
  /** What every judge said of its items. */
  readonly said: readonly SaidOfItem[];
  readonly hidesText: boolean;
}

/** One answer with its quotes marked, and beside it each instruction with its verdict. */
export function AnswerView({ answer, said, hidesText }: AnswerProps) {
  const [asked, setAsked] = useState(textWasAsked);
  const items = answer.rubric.verdicts.map((verdict, i) => ({ ...verdict, number: i + 1 }));
  const ask = () => {
    textWasAsked = true;
    setAsked(true);
  };
  return (
    <article aria-label={`Answer to ${answer.id}`}>
      <h3>
        <OutsideText text={answer.id} />
      </h3>
      <p className="quiet small">
        {words(answer.state)}
        {answer.state_reason !== null && ` (${words(answer.state_reason)})`}
        {answer.abstained === true && ', deferred'}
        {answer.metadata.should_abstain !== null &&
          `; should ${answer.metadata.should_abstain ? 'defer' : 'answer'}`}
      </p>
      {hidesText && !asked ? (
        <div className="panel">
          <p>This suite is protected: questions and answers are hidden.</p>
          <button type="button" onClick={ask}>
            Show the text
          </button>
        </div>
      ) : (
        <div className="evidence">
          <div>
            <p className="question">
              <OutsideText text={answer.question ?? 'The question is protected and not stored in the run.'} />
            </p>
            {answer.raw_response === null ? (
              <p className="quiet">
                {hidesText && answer.state === 'answered'
                  ? 'The text of the answer is protected and not stored here; its verdicts are.'
                  : 'There is no answer.'}
              </p>
            ) : (
              <p className="answer">
                <Marked text={answer.raw_response} items={items} />
              </p>
            )}
            <p className="quiet small">
              The judge’s quotes have the number of their instruction. A solid line supports the answer, a
              dashed one counts against it, and a dotted one is not scored.
            </p>
          </div>
          <div>
            <Instructions items={items} said={said} />
            <TraitScores answer={answer} />
          </div>
        </div>
      )}
    </article>
  );
}

function Marked({ text, items }: { text: string; items: readonly NumberedVerdict[] }) {
  return markedAnswer(text, items).map((piece, i) => {
    const labels = piece.ends.map((item) => (
      <sup key={item.number} className="ref">
        [{item.number} {words(item.verdict)}]
      </sup>
    ));
    const effects = piece.items.map(findEffect);
    // Where quotes overlap, evidence against the answer takes precedence.
    const effect = (['against', 'open', 'for'] as const).find((name) => effects.includes(name));
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which keep their order
      <span key={i}>
        {effect === undefined ? (
          <OutsideText text={piece.text} />
        ) : (
          <mark className={effect}>
            <OutsideText text={piece.text} />
          </mark>
        )}
        {labels}
      </span>
    );
  });
}

function findEffect({ scored, kind, verdict }: VerdictLine): 'for' | 'against' | 'open' {
  return itemEffect({ isScored: scored, kind, verdict });
}

/** Signs and words, so that colour is never the only cue. */
const EFFECTS = {
  for: { sign: '✓', says: 'speaks for the answer' },
  against: { sign: '✗', says: 'speaks against the answer' },
  open: { sign: '·', says: 'is not scored' },
} as const;

interface InstructionsProps {
  readonly items: readonly NumberedVerdict[];
  readonly said: readonly SaidOfItem[];
}

function Instructions({ items, said }: InstructionsProps) {
  if (items.length === 0) return <p className="quiet">No instructions belong to this question.</p>;
  return (
    <ol className="instructions">
      {items.map((item) => (
        <li key={item.id}>
          <span className={`effect ${findEffect(item)}`} title={EFFECTS[findEffect(item)].says}>
            <span aria-hidden="true">{EFFECTS[findEffect(item)].sign}</span>
            <span className="unseen">{EFFECTS[findEffect(item)].says}:</span>
          </span>{' '}
          <span className={`verdict ${findEffect(item)}`}>
            {words(item.verdict)}
            {!item.scored && ', not scored'}
          </span>{' '}
          <OutsideText text={item.instruction} />
          <span className="quiet line">
            <OutsideText text={describeDetails(item)} />
          </span>
          <OtherVerdicts item={item} said={said.filter((one) => one.item_id === item.id)} />
        </li>
      ))}
    </ol>
  );
}

/** The value is the answer's, the explanation the judge's. */
function describeDetails({ trait, kind, reason, value, explanation, quotes }: VerdictLine): string {
  return [
    `${trait}, ${words(kind)}`,
    reason !== null && words(reason),
    value !== undefined && `value “${value}”, compared by code`,
    explanation,
    quotes.some(({ start }) => start === null) && 'a quote is not in the answer',
  ]
    .filter(Boolean)
    .join('; ');
}

/** What all judges said, in all passes, where that is more than the one verdict that is scored. */
function OtherVerdicts({ item, said }: { item: VerdictLine; said: readonly SaidOfItem[] }) {
  const all = said.flatMap(({ verdicts }) => verdicts);
  if (all.length < 2) return null;
  const isSplit = all.some((verdict) => verdict !== item.verdict);
  return (
    <span className={isSplit ? 'line split-verdicts' : 'quiet line'}>
      {isSplit ? 'Judged differently: ' : 'All verdicts: '}
      {said.map(({ judge, verdicts }) => `${judge}: ${verdicts.map(words).join(', then ')}`).join('; ')}
    </span>
  );
}

function TraitScores({ answer: { rubric } }: { answer: AnswerLine }) {
  const metric = Object.entries(rubric.metric_trait_scores);
  const others = otherScores(rubric);
  if (metric.length + others.length === 0) return null;
  return (
    <dl className="pairs compact">
      {metric.map(([trait, scores]) => (
        <div key={trait}>
          <dt>{words(trait)}</dt>
          <dd>
            {Object.entries(scores)
              .map(([name, value]) => `${words(name)} ${number(value)}`)
              .join(', ')}
          </dd>
        </div>
      ))}
      {others.map(([trait, value]) => (
        <div key={trait}>
          <dt>{words(trait)}</dt>
          <dd>
            {value === null
              ? `unscored: ${words(rubric.unscored.find((each) => each.trait === trait)?.reason ?? 'no reason given')}`
              : String(value)}
            <Reason reasons={rubric.trait_reasons} trait={trait} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Why the judge gave a trait its value, with the words that it quoted. */
function Reason({ reasons, trait }: { reasons: AnswerLine['rubric']['trait_reasons']; trait: string }) {
  const found = reasons.find((reason) => reason.trait === trait);
  if (found === undefined) return null;
  return (
    <span className="quiet line">
      <OutsideText
        text={[
          found.explanation ?? '',
          ...found.quotes.map(({ text, start }) => `${start === null ? 'not in the answer: ' : ''}“${text}”`),
        ].join(' ')}
      />
    </span>
  );
}

/** Values of traits of every kind but metric traits: `llm_trait_scores`, `regex_trait_scores`, ... */
function otherScores(rubric: AnswerLine['rubric']): [string, unknown][] {
  return Object.entries(rubric)
    .filter(([key]) => key.endsWith('_trait_scores') && key !== 'metric_trait_scores')
    .flatMap(([, scores]) => Object.entries(scores as Readonly<Record<string, unknown>>));
}

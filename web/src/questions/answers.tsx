import { useMemo, useState } from 'react';
import { itemsRight } from '../../../src/viewer/browser.ts';
import type { QuestionsPayload } from '../api.ts';
import { useCaseHref } from '../cases/use-case-href.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { number, words } from '../parts/words.ts';
import { buildHref, go } from '../router.ts';
import { AnswerView } from './answer-view.tsx';
import {
  type AnswerFilter,
  type AnswerLine,
  answerKey,
  differingAnswers,
  ITEMS_RIGHT,
  listAnswers,
  questionScores,
} from './question-scores.ts';

const PATH = 'runs/:id/questions';
const ALL: AnswerFilter = { text: '', outcome: '', verdict: '', score: ITEMS_RIGHT, order: 'suite' };

/** The answers with a score each, to filter and sort, and the one that is open. */
export function Answers({ payload, open }: { payload: QuestionsPayload; open: string | null }) {
  const { run, evaluation_results: answers, said } = payload;
  const caseHref = useCaseHref(run.suite);
  const [filter, setFilter] = useState(ALL);
  const differing = useMemo(() => differingAnswers(said), [said]);
  const listed = useMemo(() => listAnswers(answers, filter, differing), [answers, filter, differing]);
  const shown = answers.find((answer) => answerKey(answer) === open) ?? listed[0] ?? answers[0];
  if (shown === undefined)
    return (
      <section aria-labelledby="answers-title">
        <h2 id="answers-title">Answers</h2>
        <p className="empty">No question has been answered yet.</p>
      </section>
    );
  const hrefTo = (answer: AnswerLine) => buildHref(PATH, { id: run.id, answer: answerKey(answer) });
  const at = listed.indexOf(shown);
  const step = (by: number) => {
    const next = listed[at + by];
    if (next !== undefined) go(hrefTo(next), { replace: true });
  };
  return (
    <section aria-labelledby="answers-title">
      <h2 id="answers-title">Answers</h2>
      <AnswerFilters payload={payload} filter={filter} show={setFilter} hasDifferences={differing.size > 0} />
      <p className="count" role="status">
        {listed.length === answers.length ? answers.length : `${listed.length} of ${answers.length}`} answers
      </p>
      <div className="answers">
        <nav aria-label="Answers">
          <ul>
            {listed.map((answer) => (
              <li key={answerKey(answer)}>
                <a href={hrefTo(answer)} aria-current={answer === shown ? 'true' : undefined}>
                  <OutsideText text={answer.id} />
                  {answer.repeat > 0 && ` (repeat ${answer.repeat})`}
                  <span className="quiet line">
                    {words(answer.ledger_class)}
                    <ScoreOf answer={answer} filter={filter} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div>
          <div className="steps">
            <button type="button" disabled={at <= 0} onClick={() => step(-1)}>
              <span aria-hidden="true">↑</span> Previous answer
            </button>
            <button type="button" disabled={at < 0 || at + 1 >= listed.length} onClick={() => step(1)}>
              <span aria-hidden="true">↓</span> Next answer
            </button>
            {caseHref !== null && <a href={caseHref(shown.id)}>This case in all runs</a>}
          </div>
          <AnswerView
            key={answerKey(shown)}
            answer={shown}
            said={said.filter(({ id, repeat }) => id === shown.id && repeat === shown.repeat)}
            hidesText={payload.hides_text}
          />
        </div>
      </div>
    </section>
  );
}

function ScoreOf({ answer, filter: { score } }: { answer: AnswerLine; filter: AnswerFilter }) {
  if (score.key === ITEMS_RIGHT.key) {
    const { right, scored } = itemsRight(answer);
    return scored === 0 ? null : ` · ${right} of ${scored} items right`;
  }
  const value = score.of(answer);
  return value === null ? ' · no score' : ` · ${score.label} ${number(value)}`;
}

interface FiltersProps {
  readonly payload: QuestionsPayload;
  readonly filter: AnswerFilter;
  readonly show: (filter: AnswerFilter) => void;
  readonly hasDifferences: boolean;
}

const ORDERS = { suite: 'order of the suite', lowest: 'lowest first', highest: 'highest first' } as const;

function AnswerFilters({ payload, filter, show, hasDifferences }: FiltersProps) {
  const { evaluation_results: answers } = payload;
  const scores = useMemo(() => questionScores(answers), [answers]);
  const outcomes = [...new Set(answers.map(({ ledger_class: outcome }) => outcome))].sort();
  const verdicts = [
    ...new Set(answers.flatMap(({ rubric }) => rubric.verdicts.map(({ verdict }) => verdict))),
  ].sort();
  return (
    // biome-ignore lint/a11y/useSemanticElements: not all browsers know the search element yet
    <div className="bar" role="search" aria-label="Filter answers">
      <label>
        <span className="quiet">Find</span>{' '}
        <input
          type="search"
          placeholder="question, answer, tag"
          value={filter.text}
          onChange={({ target: { value } }) => show({ ...filter, text: value })}
        />
      </label>
      <Select
        title="ended"
        value={filter.outcome}
        options={[['', 'any'], ...outcomes.map((name) => [name, words(name)] as const)]}
        change={(outcome) => show({ ...filter, outcome })}
      />
      <Select
        title="with an item"
        value={filter.verdict}
        options={[
          ['', 'any'],
          ...verdicts.map((name) => [name, words(name)] as const),
          ...(hasDifferences ? [['differ', 'judged differently'] as const] : []),
        ]}
        change={(verdict) => show({ ...filter, verdict })}
      />
      <Select
        title="score"
        value={filter.score.key}
        options={scores.map(({ key, label }) => [key, words(label)] as const)}
        change={(key) => show({ ...filter, score: scores.find((score) => score.key === key) ?? ITEMS_RIGHT })}
      />
      <Select
        title="order"
        value={filter.order}
        options={Object.entries(ORDERS)}
        change={(order) => show({ ...filter, order: order as AnswerFilter['order'] })}
      />
    </div>
  );
}

interface SelectProps {
  readonly title: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly change: (value: string) => void;
}

function Select({ title, value, options, change }: SelectProps) {
  return (
    <label>
      <span className="quiet">{title}</span>{' '}
      <select value={value} onChange={({ target }) => change(target.value)}>
        {options.map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

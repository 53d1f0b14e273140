import { leadingCorrected, questionSentence, whole } from '../../../src/viewer/browser.ts';
import { usePayload } from '../data/use-payload.ts';
import { Causes } from '../parts/causes.tsx';
import { Json } from '../parts/json.tsx';
import { LedgerBar, LedgerLegend } from '../parts/ledger.tsx';
import { LiveLine } from '../parts/live-line.tsx';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { ReportSection } from '../parts/report-blocks.tsx';
import { RunHeader } from '../parts/run-header.tsx';
import { useTitle } from '../parts/use-title.ts';
import { needsNotice, useVerification, Verification } from '../parts/verification.tsx';
import { Warnings } from '../parts/warnings.tsx';
import { Answers } from './answers.tsx';
import { JudgeTrust } from './judge-trust.tsx';
import type { AbstentionScore, ItemScoresSummary, ReadQuestions, TraitScore } from './payload.ts';
import './questions.css';
import { levelText, number, range, words } from '../parts/words.ts';
import { SplitItems } from './split-items.tsx';
import { ScoreCells, TraitTable } from './trait-table.tsx';

const PATH = 'runs/:id/questions';
const REFRESH_MS = 3000;

interface PageProps {
  readonly id: string;
  /** `ID` or `ID~REPEAT` of the answer that is open. */
  readonly open: string | null;
}

/** Answers to open questions: their scores by rubric, and why. */
export function QuestionsPage({ id, open }: PageProps) {
  const loaded = usePayload(PATH, { id }, ({ run }) => (run.status === 'running' ? REFRESH_MS : null));
  useTitle(loaded.state === 'loaded' ? `Answers of ${loaded.value.run.model}` : 'Answers');
  if (loaded.state !== 'loaded') return <Waiting of="these answers" loaded={loaded} />;
  return <Questions payload={loaded.value as ReadQuestions} open={open} />;
}

function Questions({ payload, open }: { payload: ReadQuestions; open: string | null }) {
  const { run, ledger, judge, traits, warnings, provenance } = payload;
  const verification = useVerification(run, payload.verification);
  const isNoticed = needsNotice(verification, run);
  return (
    <>
      <RunHeader run={run} here={PATH} />
      {isNoticed && <Verification mark={verification} />}
      <LiveLine run={run} />
      <Sentence payload={payload} />
      <Causes causes={payload.causes} />
      <Warnings warnings={warnings} />
      {!isNoticed && <Verification mark={verification} isQuiet />}
      <section aria-labelledby="traits-title">
        <h2 id="traits-title">Traits over {whole(payload.n_questions)} questions</h2>
        <TraitTable
          traits={traits}
          level={provenance.method.level}
          corrected={payload.review?.items?.corrected ?? []}
          isRefuted={judge.status === 'refuted'}
        />
      </section>
      {payload.sections.map((section) => (
        <ReportSection key={section.id} section={section} />
      ))}
      <ItemScores found={payload.item_scores} />
      <Answers payload={payload} open={open} />
      <div className="beside">
        <div>
          <JudgeTrust judge={judge} jury={payload.jury} />
          <SplitItems payload={payload} />
          <Roles execution={payload.execution} />
          <section aria-labelledby="ledger-title">
            <h2 id="ledger-title">How {whole(ledger.n ?? 0)} rows ended</h2>
            <LedgerBar of={{ ledger, n: ledger.n ?? 0 }} />
            <LedgerLegend of={{ ledger, n: ledger.n ?? 0 }} />
          </section>
        </div>
        <Declining metrics={payload.metrics} />
      </div>
      <section aria-labelledby="details-title">
        <h2 id="details-title">Everything else</h2>
        <details className="panel">
          <summary>Execution</summary>
          <Json value={payload.execution} />
        </details>
        <details className="panel">
          <summary>Provenance</summary>
          <Json value={provenance} />
        </details>
      </section>
    </>
  );
}

/** What happened, in one sentence: the same as in the report. */
function Sentence({
  payload: { run, ledger, judge, review, evaluation_results: answers },
}: {
  payload: ReadQuestions;
}) {
  const text = questionSentence({
    model: run.model,
    ledger,
    n: run.n,
    items: answers.flatMap(({ rubric }) =>
      rubric.verdicts.map(({ kind, verdict, scored, critical }) => ({
        kind,
        verdict,
        isScored: scored,
        isCritical: critical === true,
      })),
    ),
    repeats: answers.some(({ repeat }) => repeat > 0) ? 2 : 1,
    isRunning: run.status === 'running',
    judge,
    corrected: leadingCorrected(review?.items?.corrected ?? []),
  });
  return (
    text !== null && (
      <p className="sentence">
        <OutsideText text={text} />
      </p>
    )
  );
}

/** Whether the model declined the right questions. */
function Declining({ metrics }: { metrics: Readonly<Record<string, AbstentionScore>> }) {
  const scores = Object.entries(metrics);
  if (scores.length === 0) return null;
  return (
    <section aria-labelledby="declining-title">
      <h2 id="declining-title">Answering and declining</h2>
      <table>
        <caption className="unseen">Answering and declining</caption>
        <thead>
          <tr>
            <th scope="col">metric</th>
            <th scope="col" className="number">
              value
            </th>
            <th scope="col" className="number">
              n
            </th>
          </tr>
        </thead>
        <tbody>
          {scores.map(([name, { label, value, reason, interval, n_evaluated: n }]) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td className="number">
                {value === null ? (
                  <span className="quiet">{words(reason ?? 'no value')}</span>
                ) : (
                  <>
                    <strong>{number(value)}</strong>{' '}
                    <span className="quiet">
                      {interval === null
                        ? '(no interval)'
                        : `(${levelText(interval.level)} ${range(interval)})`}
                    </span>
                  </>
                )}
              </td>
              <td className="number quiet">{whole(n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Scores = Readonly<Record<string, TraitScore>>;

/** Scores by what items weigh: points, critical items, harm, contradictions; over all, by axis and by tag. */
function ItemScores({ found }: { found: ItemScoresSummary }) {
  const scores: Scores = found.scores;
  if (Object.keys(scores).length === 0) return null;
  const weights = found.harm_weights.map(({ harm, n_items: n }) => `${harm} (${whole(n)})`);
  return (
    <section aria-labelledby="item-scores-title">
      <h2 id="item-scores-title">What the items weigh</h2>
      <ScoreTable caption="Scores over items" first="all items" groups={[{ name: 'all items', scores }]} />
      <p className="quiet small">
        The weighted score is the mean of the scores of questions, then clipped to 0 to 1.
        {weights.length > 0 && ` Weights of harm, with how many items have them: ${weights.join(', ')}.`}
      </p>
      {found.groups.length > 0 && (
        <details className="panel">
          <summary>By axis and tag</summary>
          <ScoreTable
            caption="Scores over items by group"
            first="group"
            groups={found.groups.map(({ by, name, scores: own }) => ({
              name: `${words(by)}: ${name}`,
              scores: own as Scores,
            }))}
          />
        </details>
      )}
    </section>
  );
}

interface TableProps {
  readonly caption: string;
  readonly first: string;
  readonly groups: readonly { readonly name: string; readonly scores: Scores }[];
}

function ScoreTable({ caption, first, groups }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={caption}>
      <table className="traits">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col">score</th>
            <th scope="col" className="number">
              value (interval)
            </th>
            <th scope="col" className="number">
              questions
            </th>
          </tr>
        </thead>
        {groups.map(({ name, scores }) => (
          <tbody key={name}>
            {Object.entries(scores).map(([score, own], i) => (
              <tr key={score}>
                <th scope="row">{i === 0 ? name : <span className="unseen">{name}</span>}</th>
                <td>{words(score.replace('.', ', '))}</td>
                <ScoreCells score={own} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}

/** What answering and judging took: calls, tokens and money, apart. */
function Roles({ execution: { roles = [] } }: Pick<ReadQuestions, 'execution'>) {
  if (roles.length === 0) return null;
  const count = (n: number | null) => (n === null ? '–' : whole(n));
  return (
    <section aria-labelledby="roles-title">
      <h2 id="roles-title">What answering and judging took</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label="Calls, tokens and cost">
        <table>
          <caption className="unseen">What answering and judging took</caption>
          <thead>
            <tr>
              <th scope="col">role</th>
              {['calls', 'input tokens', 'output tokens', 'cost'].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {roles.map((asked) => (
              <tr key={`${asked.role} ${asked.name} ${asked.config}`}>
                <th scope="row">
                  {asked.role === 'model' ? 'answering' : 'judging'}: {asked.name}
                </th>
                <td className="number">{whole(asked.n_calls)}</td>
                <td className="number">{count(asked.input_tokens)}</td>
                <td className="number">{count(asked.output_tokens)}</td>
                <td className="number">{asked.cost_usd === null ? '–' : `$${asked.cost_usd.toFixed(4)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

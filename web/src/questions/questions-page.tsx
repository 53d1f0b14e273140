import { leadingCorrected, questionSentence, whole } from '../../../src/viewer/browser.ts';
import { usePayload } from '../data/use-payload.ts';
import { Causes } from '../parts/causes.tsx';
import { HumanReview } from '../parts/human-review.tsx';
import { Json } from '../parts/json.tsx';
import { LedgerBar, LedgerLegend } from '../parts/ledger.tsx';
import { LiveLine } from '../parts/live-line.tsx';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { RunHeader } from '../parts/run-header.tsx';
import { useTitle } from '../parts/use-title.ts';
import { needsNotice, useVerification, Verification } from '../parts/verification.tsx';
import { Warnings } from '../parts/warnings.tsx';
import { Answers } from './answers.tsx';
import { Declining } from './declining.tsx';
import { ItemScores } from './item-scores.tsx';
import { JudgeTrust } from './judge-trust.tsx';
import type { ReadQuestions } from './payload.ts';
import { Roles } from './roles.tsx';
import './questions.css';
import { SplitItems } from './split-items.tsx';
import { TraitTable } from './trait-table.tsx';

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
      <HumanReview run={payload.run} review={payload.review} />
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

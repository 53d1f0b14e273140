import {
  firstCards,
  type HeadlineCard,
  runSentence,
  whole,
} from '../../../src/viewer/browser.ts';
import type { RunPayload, ScoreLine } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { Blocks } from '../parts/report-blocks.tsx';
import { IntervalStrip } from '../parts/score.tsx';
import { directionText, number, scoreTitle, share } from '../parts/words.ts';
import { leadingLines, scoreOfLine } from './score-of-line.ts';

/** The first screen: the faults of the model in words, what happened in one sentence, then the numbers that lead, the gravest first. */
export function Headline({ payload }: { payload: RunPayload }) {
  const { run, baselines } = payload;
  const scores = payload.scores.map(scoreOfLine);
  const sentence = runSentence({
    model: run.model,
    ledger: run.ledger,
    n: run.status === 'stopped_early' ? run.n_done : run.n,
    scores,
    repeats: payload.repeats,
    isRunning: run.status === 'running',
  });
  const lines = leadingLines(payload.scores);
  const headlines = lines.map(scoreOfLine);
  const cards = firstCards({ scores, headlines, baselines, primary: run.headline?.name ?? null });
  // A run that was imported without rows has scores all the same.
  const isEmpty = scores.length === 0 || (payload.n_scored === 0 && !run.imported);
  return (
    <section aria-labelledby="headline-title">
      <h2 id="headline-title" className="unseen">
        Headline
      </h2>
      {sentence !== null && (
        <p className="sentence">
          <OutsideText text={sentence} />
        </p>
      )}
      <Usable payload={payload} />
      {isEmpty ? (
        <p className="empty">
          {run.status === 'running' ? 'No scores yet.' : 'No row was scored, so there are no metrics.'}
        </p>
      ) : (
        <>
          <ul className={`cards headline ${columnsFor(cards.length)}`}>
            {cards.map((card) => {
              const line = lines.find(({ name }) => name === card.score.name)!;
              return (
                <ScoreCard
                  key={line.name}
                  line={line}
                  card={card}
                  state={cardState(line, baselines)}
                  isWorse={isWorseThanGuideline(line, baselines)}
                />
              );
            })}
          </ul>
          <Blocks blocks={payload.sample_size} />
        </>
      )}
    </section>
  );
}

/** Three or four to a row: no card is left alone in one. */
function columnsFor(nCards: number): string {
  return nCards % 3 === 0 || nCards % 4 === 1 ? 'by-three' : 'by-four';
}

/** Usable answers and failed rows, before any score: a number over few rows says little. */
function Usable({ payload: { run } }: { payload: RunPayload }) {
  const countOf = (is: (name: string) => boolean) =>
    Object.entries(run.ledger).reduce((sum, [name, count]) => (is(name) ? sum + count : sum), 0);
  if (run.n === 0 || countOf(() => true) === 0) return null;
  const usable = countOf((name) => name.startsWith('answered'));
  const failed = countOf((name) => name.startsWith('failed'));
  const invalid = countOf((name) => name === 'invalid' || name === 'refused');
  const notRun = run.n - run.n_done;
  const n = run.status === 'stopped_early' ? run.n_done : run.n;
  return (
    <p className="usable">
      Usable answers <strong>{share(usable, n)}</strong> ({whole(usable)} of {whole(n)}) ·{' '}
      <span className={failed > 0 ? 'unfavourable' : undefined}>
        failed <strong>{whole(failed)}</strong>
      </span>{' '}
      · invalid or refused <strong>{whole(invalid)}</strong>
      {invalid > 0 && ', counted as wrong'}
      {notRun > 0 && (
        <>
          {' '}
          · not run <strong>{whole(notRun)}</strong>
        </>
      )}
    </p>
  );
}

interface ScoreCardProps {
  readonly line: ScoreLine;
  readonly card: HeadlineCard;
  readonly state: CardState;
  readonly isWorse: boolean;
}

/** A score as a count, with its interval, how to read it, and what needs no model beside it. */
function ScoreCard({
  line,
  card: { score, value, isPrimary, lines, beside },
  state,
  isWorse,
}: ScoreCardProps) {
  const { better } = line;
  return (
    <li className={`card ${state}`} data-metric={score.name}>
      <h3>
        <OutsideText text={scoreTitle(line.label)} />
        {isPrimary && <span className="tag line">primary endpoint</span>}
      </h3>
      <p className="value">
        {value} {better !== null && <span className="direction">{directionText(better)}</span>}
      </p>
      {isWorse && <p className="state">worse than the guideline</p>}
      <IntervalStrip score={score} beside={beside} />
      <ul className="lines">
        {lines.map((text) => (
          <li key={text}>
            <OutsideText text={text} />
          </li>
        ))}
      </ul>
      {beside.length > 0 && (
        <dl className="beside-model">
          {beside.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <OutsideText text={name} />
              </dt>
              <dd>{number(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** What a number calls for. `harm`: harms above zero. `worse`: no harm, but worse than the suite's guideline. `plain`: nothing. */
type CardState = 'harm' | 'worse' | 'plain';

/** Rules of the guideline, the one that defers where it should first. */
const GUIDELINES = ['baseline/guideline-defer', 'baseline/guideline'];

function cardState(score: ScoreLine, baselines: RunPayload['baselines']): CardState {
  if (score.harm && (score.value ?? 0) > 0) return 'harm';
  return isWorseThanGuideline(score, baselines) ? 'worse' : 'plain';
}

/** False where either has no value. */
function isWorseThanGuideline(
  { name, value, better }: ScoreLine,
  baselines: RunPayload['baselines'],
): boolean {
  const [guideline] = GUIDELINES.flatMap(
    (rule) => baselines.find(({ model }) => model === rule)?.scores[name]?.value ?? [],
  );
  if (value === null || better === null || guideline === undefined) return false;
  return better === 'lower' ? value > guideline : value < guideline;
}

import { useEffect, useRef } from 'react';
import {
  decimals,
  emergencyReasons,
  failureWords,
  invalidWords,
  isFailureProblem,
  whole,
  type withoutText,
} from '../../../src/viewer/browser.ts';
import type { RecordPayload, RunPayload } from '../api.ts';
import { useCaseHref } from '../cases/use-case-href.ts';
import { usePayload } from '../data/use-payload.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { caseWords, isHarm } from '../parts/decision.tsx';
import { Json } from '../parts/json.tsx';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { DASH, duration, words } from '../parts/words.ts';
import { CaseNote } from './case-note.tsx';
import { FeatureList } from './feature-list.tsx';
import type { OpenRecord } from './open-record.ts';
import { Pair } from './pair.tsx';
import { isFalseAlarm, verdictText } from './verdict.ts';

interface PanelProps {
  readonly payload: RunPayload;
  /** Hides the text of a protected suite; null if it may be shown. */
  readonly withheld: Pick<ReturnType<typeof withoutText>, 'record'> | null;
  readonly ask: () => void;
  readonly open: OpenRecord;
  readonly total: number | null;
  readonly step: (by: number) => void;
  readonly close: () => void;
}

/** One record beside the list. Patient and model text of a protected suite is hidden until the reader asks for it, once per visit. */
export function RecordPanel({
  payload: { run, stratum, emergency_rule: rule },
  withheld,
  ask,
  open,
  total,
  step,
  close,
}: PanelProps) {
  const loaded = usePayload('runs/:id/records/:record', {
    id: run.id,
    record: open.id,
    repeat: open.repeat,
  });
  const caseHref = useCaseHref(run.suite);
  const title = useRef<HTMLHeadingElement>(null);
  // A screen reader announces the new record; the list keeps its position.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  // A button that the last step has disabled would lose the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another record was opened
  useEffect(() => {
    const { activeElement: focused } = document;
    if (focused === document.body || focused?.matches(':disabled'))
      title.current?.focus({ preventScroll: true });
  }, [open.id, open.repeat]);
  return (
    <aside className="record" aria-label="Case">
      <div className="record-head">
        <h2 ref={title} tabIndex={-1}>
          <OutsideText text={open.id} />
        </h2>
        <div className="steps">
          <button
            type="button"
            disabled={open.at === null || open.at === 0}
            onClick={() => step(-1)}
            aria-keyshortcuts="k ArrowUp"
          >
            <span aria-hidden="true">↑</span> Previous
          </button>
          <button
            type="button"
            disabled={open.at === null || total === null || open.at + 1 >= total}
            onClick={() => step(1)}
            aria-keyshortcuts="j ArrowDown"
          >
            <span aria-hidden="true">↓</span> Next
          </button>
          <button type="button" onClick={close} aria-keyshortcuts="Escape">
            Close
          </button>
          <CopyButton text={open.id} label="Copy id" />
          <CopyButton text={() => window.location.href} label="Copy link" />
        </div>
        {caseHref !== null && (
          <p className="small">
            <a href={caseHref(open.id)}>This case in all runs</a>
          </p>
        )}
        <p className="quiet small" aria-live="polite">
          {open.at !== null && total !== null && `${whole(open.at + 1)} of ${whole(total)} in this list. `}
          <span className="keys">Keys: ↑ ↓ or k j, Esc</span>
        </p>
      </div>
      {loaded.state === 'loaded' ? (
        <RecordBody
          run={run.id}
          record={withheld?.record(loaded.value) ?? loaded.value}
          stratumLabel={stratum.label}
          rule={rule}
          hidden={withheld !== null}
          ask={ask}
        />
      ) : (
        <Waiting of="this case" loaded={loaded} />
      )}
    </aside>
  );
}

interface BodyProps {
  readonly run: string;
  readonly record: RecordPayload;
  readonly stratumLabel: string;
  readonly rule: RunPayload['emergency_rule'];
  readonly hidden: boolean;
  readonly ask: () => void;
}

function RecordBody({ run, record, stratumLabel, rule, hidden, ask }: BodyProps) {
  return (
    <>
      <Verdict record={record} rule={rule} />
      {!hidden && <CaseNote key={`${record.id} ${record.note}`} run={run} record={record} />}
      <SaidAndRight record={record} stratumLabel={stratumLabel} rule={rule} />
      {hidden ? (
        <div className="panel">
          <p>
            This suite is protected: patient and model text is hidden, including metadata and answers that are
            not labels.
          </p>
          <button type="button" onClick={ask}>
            Show the text
          </button>
        </div>
      ) : (
        <>
          {record.cut.map((note) => (
            <p key={note} className="notice">
              {note}.
            </p>
          ))}
          <Part title="Features">
            {record.features === null ? (
              <p className="quiet">
                Not stored: run files contain no features of protected suites, and imported runs have none.
              </p>
            ) : (
              <FeatureList features={record.features} decisive={record.decisive} />
            )}
          </Part>
        </>
      )}
      <Part title="Time and attempts">
        <dl className="pairs compact">
          {record.facts.map(({ label, value }) => (
            <Pair key={label} title={label}>
              {value}
            </Pair>
          ))}
          <Pair title="tokens">{tokensText(record)}</Pair>
        </dl>
        <Attempts record={record} />
      </Part>
      {Object.keys(record.metadata).length > 0 && (
        <details>
          <summary>Metadata, never shown to the model</summary>
          <Json value={record.metadata} />
        </details>
      )}
      <details>
        <summary>Prompt ({words(record.prompt_mode)}), patient data redacted</summary>
        {record.prompt === null || record.prompt === undefined ? (
          <p className="quiet">No prompt is stored.</p>
        ) : (
          <Json value={record.prompt} />
        )}
      </details>
      {!hidden && <PromptSent record={record} />}
      {!hidden && (
        <Part title="Raw response">
          {record.raw_response !== null && <CopyButton text={record.raw_response} label="Copy reply" />}
          {record.raw_response === null ? (
            <p className="quiet">No response is stored.</p>
          ) : (
            <pre>
              <OutsideText text={record.raw_response} />
            </pre>
          )}
        </Part>
      )}
    </>
  );
}

/** What the model said, and beside it what was right. */
function SaidAndRight({ record, stratumLabel, rule }: Pick<BodyProps, 'record' | 'stratumLabel' | 'rule'>) {
  const { case_kind: kind, should_abstain: shouldAbstain, reasons } = record;
  const because = kind === 'must_act' ? emergencyReasons(record.metadata) : shouldAbstain ? reasons : [];
  const why = because.map(words).join(', ');
  return (
    <div className="said-and-right">
      <Part title="What the model said">
        <dl className="pairs compact">
          <Pair title="answer">{record.prediction ?? DASH}</Pair>
          <Pair title="confidence">{record.confidence === null ? DASH : decimals(record.confidence)}</Pair>
          {(record.must_act !== null || record.urgent !== null) && (
            <Pair title="urgent">{urgentText(record, rule)}</Pair>
          )}
          {record.deferral_reason !== null && (
            <Pair title="reason given">
              <OutsideText text={words(record.deferral_reason)} />
            </Pair>
          )}
          <Pair title="reply">
            {words(record.outcome)}
            {reasonText(record)}
            {record.repaired && ' · the reply had to be repaired before it could be read'}
          </Pair>
        </dl>
      </Part>
      <Part title="What was right">
        <dl className="pairs compact">
          <Pair title="truth">{record.label ?? 'no derivable answer'}</Pair>
          <Pair title="case">{[caseWords(kind), why].filter((part) => part !== '').join(': ')}</Pair>
          {record.must_act === false && <Pair title="emergency">no</Pair>}
          {record.stratum !== null && <Pair title={words(stratumLabel)}>{record.stratum}</Pair>}
        </dl>
      </Part>
    </div>
  );
}

/** How the decision turned out, before everything else. */
function Verdict({ record, rule }: Pick<BodyProps, 'record' | 'rule'>) {
  const { decision_class: name } = record;
  const state = isHarm(name) || isFalseAlarm(record) ? 'harmful' : '';
  return (
    <p className={`verdict-banner ${name ?? 'not_run'} ${state}`}>
      <OutsideText text={verdictText(record, rule)} />
    </p>
  );
}

/** Whether the model said that the case needs action today. */
function urgentText({ urgent }: RecordPayload, rule: RunPayload['emergency_rule']): string {
  if (rule === 'silence') return 'not asked';
  if (urgent === null) return 'nothing about it';
  const said = urgent ? 'yes' : 'no';
  return rule === 'label' ? `${said}, by the answer` : said;
}

/** The prompt with the record filled in, where the run file has what that needs. */
function PromptSent({
  record: { prompt_sent: sent, prompt_sent_reason: reason },
}: {
  record: RecordPayload;
}) {
  if (sent === null)
    return reason === null ? null : <p className="quiet small">Prompt as it was sent: {reason}.</p>;
  return (
    <details>
      <summary>Prompt as it was sent</summary>
      <CopyButton
        text={sent.map(({ role, content }) => `${role}:\n${content}`).join('\n\n')}
        label="Copy prompt"
      />
      <Json value={sent} />
    </details>
  );
}

function Attempts({ record: { attempts } }: { record: RecordPayload }) {
  if (attempts.length === 0) return <p className="quiet">No call is recorded for this case.</p>;
  return (
    <ol className="attempts">
      {attempts.map((attempt) => (
        <li key={`${attempt.attempt} ${attempt.mode} ${attempt.latency_seconds}`}>
          {words(attempt.outcome)}, {words(attempt.mode)}
          {attempt.n_records > 1 && ` with ${attempt.n_records} cases`}
          {attempt.latency_seconds !== null && `, ${duration(attempt.latency_seconds)}`}
          {attempt.error !== null && (
            <span className="quiet line">
              <OutsideText text={attempt.error} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Why the row has no usable answer, and what to do about it. */
function reasonText({ outcome, state_reason: reason, problem, http_status: status }: RecordPayload): string {
  const cause = problem ?? reason;
  if (cause === null) return '';
  if (outcome === 'invalid') return `: ${invalidWords(cause)}`;
  if (!isFailureProblem(cause)) return ` (${words(cause)})`;
  const { says, advice } = failureWords(cause);
  return `: ${says}${status === null ? '' : ` (HTTP ${status})`}${advice === null ? '' : `; ${advice}`}`;
}

function tokensText({
  input_tokens: input,
  output_tokens: output,
  tokens_estimated: estimated,
}: RecordPayload): string {
  if (input === null && output === null) return 'not recorded';
  const text = `${input === null ? DASH : whole(input)} in, ${output === null ? DASH : whole(output)} out`;
  return estimated ? `${text} (estimated from the batch)` : text;
}

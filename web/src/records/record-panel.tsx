import { useEffect, useRef } from 'react';
import {
  decimals,
  failureWords,
  invalidWords,
  isFailureProblem,
  whole,
  type withoutText,
} from '../../../src/viewer/browser.ts';
import type { RecordPayload, RunPayload } from '../api.ts';
import { usePayload } from '../data/use-payload.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { caseWords, isHarm } from '../parts/decision.tsx';
import { Json } from '../parts/json.tsx';
import { Waiting } from '../parts/message.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { DASH, duration, words } from '../parts/words.ts';
import type { OpenRecord } from './open-record.ts';
import { emergencyReasons, isFalseAlarm, verdictText } from './verdict.ts';

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
        <p className="quiet small" aria-live="polite">
          {open.at !== null && total !== null && `${whole(open.at + 1)} of ${whole(total)} in this list. `}
          <span className="keys">Keys: ↑ ↓ or k j, Esc</span>
        </p>
      </div>
      {loaded.state === 'loaded' ? (
        <RecordBody
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
  readonly record: RecordPayload;
  readonly stratumLabel: string;
  readonly rule: RunPayload['emergency_rule'];
  readonly hidden: boolean;
  readonly ask: () => void;
}

function RecordBody({ record, stratumLabel, rule, hidden, ask }: BodyProps) {
  return (
    <>
      <Verdict record={record} rule={rule} />
      <dl className="pairs">
        <Pair title="case">
          {`${caseWords(record.case_kind)}${record.should_abstain === true && record.reasons.length > 0 ? `: ${record.reasons.map(words).join(', ')}` : ''}`}
        </Pair>
        {(record.must_act !== null || record.urgent !== null) && (
          <Pair title="emergency">{emergencyText(record, rule)}</Pair>
        )}
        <Pair title="reply">
          {words(record.outcome)}
          {reasonText(record)}
          {record.repaired && ' · the reply had to be repaired before it could be read'}
        </Pair>
        <Pair title="truth">{record.label ?? 'no derivable answer'}</Pair>
        <Pair title="answer">{record.prediction ?? DASH}</Pair>
        {record.deferral_reason !== null && (
          <Pair title="reason given">
            <OutsideText text={words(record.deferral_reason)} />
          </Pair>
        )}
        <Pair title="confidence">{record.confidence === null ? DASH : decimals(record.confidence)}</Pair>
        {record.stratum !== null && <Pair title={words(stratumLabel)}>{record.stratum}</Pair>}
        <Pair title="tokens">{tokensText(record)}</Pair>
        {record.facts.map(({ label, value }) => (
          <Pair key={label} title={label}>
            {value}
          </Pair>
        ))}
      </dl>
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
          <Part title="Features">
            {record.features === null ? (
              <p className="quiet">
                Not stored: run files contain no features of protected suites, and imported runs have none.
              </p>
            ) : (
              <FeatureList features={record.features} />
            )}
          </Part>
        </>
      )}
      <Part title="Attempts">
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
    </>
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

/** `yes (potassium 6.5 or more); the model said urgent: no` */
function emergencyText(record: RecordPayload, rule: RunPayload['emergency_rule']): string {
  const { must_act: mustAct, urgent } = record;
  const reasons = mustAct === true ? emergencyReasons(record) : '';
  const known = mustAct === null ? 'not known' : mustAct ? 'yes' : 'no';
  const said = urgent === null ? 'nothing about it' : `urgent: ${urgent ? 'yes' : 'no'}`;
  const model =
    rule === 'silence'
      ? 'the model was not asked whether it is urgent'
      : rule === 'label'
        ? `the answer says to act today: ${urgent ? 'yes' : 'no'}`
        : `the model said ${said}`;
  return `${known}${reasons === '' ? '' : ` (${reasons})`}; ${model}`;
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

function FeatureList({ features }: { features: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="pairs compact">
      {Object.entries(features).map(([name, value]) => (
        <Pair key={name} title={words(name)}>
          {value === null || value === undefined || value === '' ? (
            <span className="quiet">not measured</span>
          ) : typeof value === 'object' ? (
            JSON.stringify(value)
          ) : (
            String(value)
          )}
        </Pair>
      ))}
    </dl>
  );
}

function Pair({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{typeof children === 'string' ? <OutsideText text={children} /> : children}</dd>
    </div>
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

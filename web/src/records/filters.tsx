import { useEffect, useEffectEvent, useState } from 'react';
import type { RecordFilter, RunPayload } from '../api.ts';
import { words } from '../parts/words.ts';
import { without } from './without.ts';

interface FiltersProps {
  readonly payload: RunPayload;
  readonly filter: RecordFilter;
  readonly show: (filter: RecordFilter) => void;
}

type ListKey = 'outcome' | 'label' | 'prediction' | 'stratum' | 'reason' | 'group' | 'should_abstain';
type Titles = Readonly<Record<ListKey, string>>;

const TITLES: Titles = {
  outcome: 'outcome',
  label: 'truth',
  prediction: 'answer',
  stratum: 'stratum',
  reason: 'reason',
  group: 'group',
  should_abstain: 'should defer',
};
/** Filters that links of charts set. */
const FLAGS = {
  usable: { yes: 'answers with a confidence', no: 'no answer with a confidence' },
  scored: { yes: 'scored', no: 'not scored' },
};
const TYPING_MS = 250;

export function Filters({ payload, filter, show }: FiltersProps) {
  const { facets, subgroups, stratum } = payload;
  const titles: Titles = { ...TITLES, stratum: stratum.label };
  const groups = Object.entries(subgroups).flatMap(([key, values]) =>
    values.map((value) => `${key}:${value}`),
  );
  const lists: readonly (readonly [ListKey, readonly string[]])[] = [
    ['outcome', facets.outcome],
    ['label', facets.label],
    ['prediction', facets.prediction],
    ['stratum', facets.stratum],
    ['reason', facets.reason],
    ['group', groups],
    ['should_abstain', payload.figures?.deferral == null ? [] : ['true', 'false']],
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: not all browsers know the search element yet
    <div className="filters" role="search" aria-label="Filter records">
      <TextFilter
        text={filter.text ?? ''}
        change={(text) => show(text === '' ? without(filter, 'text') : { ...filter, text })}
      />
      {lists.map(([key, values]) => (
        <Choice
          key={key}
          title={titles[key]}
          values={[...new Set([...values, ...(filter[key] ?? [])])]}
          chosen={filter[key] ?? []}
          change={(chosen) => show(chosen.length === 0 ? without(filter, key) : { ...filter, [key]: chosen })}
        />
      ))}
      <ConfidenceRange filter={filter} show={show} />
      <Chips filter={filter} titles={titles} show={show} />
    </div>
  );
}

/** Filters when typing pauses, so that not every letter is a request. */
function TextFilter({ text, change }: { text: string; change: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const [seen, setSeen] = useState(text);
  if (seen !== text) {
    setSeen(text);
    setTyped(text);
  }
  const pause = useEffectEvent((latest: string) => {
    if (latest !== text) change(latest);
  });
  useEffect(() => {
    const timer = setTimeout(() => pause(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <label className="field">
      <span className="unseen">Text in id, answer or reasons</span>
      <input
        type="search"
        placeholder="id, answer, reason"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  readonly change: (chosen: readonly string[]) => void;
}

function Choice({ title, values, chosen, change }: ChoiceProps) {
  // A run without strata has nothing to choose from.
  if (values.length === 0 || (values.length === 1 && values[0] === 'none' && chosen.length === 0))
    return null;
  return (
    <details className="choice" name="filters">
      <summary>
        {title}
        {chosen.length > 0 && ` (${chosen.length})`}
      </summary>
      <fieldset>
        <legend className="unseen">{title}</legend>
        {values.map((value) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() =>
                change(
                  chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value],
                )
              }
            />{' '}
            {words(value)}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function ConfidenceRange({ filter, show }: Pick<FiltersProps, 'filter' | 'show'>) {
  const field = (key: 'confidence_from' | 'confidence_to', title: string) => (
    <label>
      {title}{' '}
      <input
        type="number"
        min={0}
        max={1}
        step="any"
        value={rounded(filter[key])}
        onChange={({ target: { value } }) =>
          show(value === '' ? without(filter, key) : { ...filter, [key]: Number(value) })
        }
      />
    </label>
  );
  const isSet = filter.confidence_from !== undefined || filter.confidence_to !== undefined;
  return (
    <details className="choice" name="filters">
      <summary>confidence{isSet && ' (1)'}</summary>
      <fieldset className="range">
        <legend className="unseen">confidence</legend>
        {field('confidence_from', 'from')}
        {field('confidence_to', 'to')}
      </fieldset>
    </details>
  );
}

/** The active filters, each with a button that removes it. */
function Chips({ filter, titles, show }: Pick<FiltersProps, 'filter' | 'show'> & { titles: Titles }) {
  const chips = [
    ...(Object.keys(TITLES) as ListKey[]).flatMap((key) => {
      const values = filter[key] ?? [];
      return values.length === 0
        ? []
        : [{ key, text: `${titles[key]}: ${values.map(words).join(' or ')}`, rest: without(filter, key) }];
    }),
    ...(filter.confidence_from === undefined && filter.confidence_to === undefined
      ? []
      : [
          {
            key: 'confidence',
            text: `confidence ${rounded(filter.confidence_from ?? 0)} to ${rounded(filter.confidence_to ?? 1)}`,
            rest: without(without(filter, 'confidence_from'), 'confidence_to'),
          },
        ]),
    ...(['usable', 'scored'] as const).flatMap((key) =>
      filter[key] === undefined
        ? []
        : [{ key, text: FLAGS[key][filter[key] ? 'yes' : 'no'], rest: without(filter, key) }],
    ),
    ...(filter.text === undefined
      ? []
      : [{ key: 'text', text: `text: ${filter.text}`, rest: without(filter, 'text') }]),
    ...(filter.repeat === undefined
      ? []
      : [{ key: 'repeat', text: `repeat ${filter.repeat}`, rest: without(filter, 'repeat') }]),
    ...(filter.flips === undefined
      ? []
      : [{ key: 'flips', text: flipsText(filter.flips), rest: without(filter, 'flips') }]),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters in use">
      {chips.map(({ key, text, rest }) => (
        <li key={key}>
          <button type="button" className="chip" onClick={() => show(rest)}>
            {text} <span aria-hidden="true">×</span>
            <span className="unseen">, remove</span>
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="plain"
          onClick={() => show(filter.sort === undefined ? {} : { sort: filter.sort })}
        >
          Clear all
        </button>
      </li>
    </ul>
  );
}

function flipsText(flips: string): string {
  const place = flips.lastIndexOf(':');
  const [other, side] = [flips.slice(0, place), flips.slice(place + 1)];
  return side === 'only_a' ? `right here, not in ${other}` : `right in ${other}, not here`;
}

/** Edges of bins are sums of steps: shows 0.15000000000000002 as 0.15. */
function rounded(value: number | undefined): number | '' {
  return value === undefined ? '' : Math.round(value * 1e6) / 1e6;
}

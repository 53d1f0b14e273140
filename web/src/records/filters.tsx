import { type ReactNode, useId } from 'react';
import { CASE_KINDS, DECISION_CLASSES, labelTextKey, whole } from '../../../src/viewer/browser.ts';
import type { FacetsPayload, RecordFilter, RunPayload } from '../api.ts';
import { caseWords, Decision, decisionWords } from '../parts/decision.tsx';
import { OutsideText } from '../parts/outside-text.tsx';
import { Popover } from '../parts/popover.tsx';
import { useTypedText } from '../parts/use-typed-text.ts';
import { words } from '../parts/words.ts';
import { without } from './without.ts';

interface FiltersProps {
  readonly payload: RunPayload;
  /** Counts by value; null until they are known. */
  readonly facets: FacetsPayload | null;
  readonly filter: RecordFilter;
  readonly show: (filter: RecordFilter) => void;
}

type ListKey =
  | 'decision_class'
  | 'case_kind'
  | 'must_act'
  | 'urgent'
  | 'outcome'
  | 'label'
  | 'prediction'
  | 'stratum'
  | 'reason'
  | 'group'
  | 'should_abstain';
type Titles = Readonly<Record<ListKey, string>>;

const TITLES: Titles = {
  decision_class: 'decision',
  case_kind: 'case',
  must_act: 'emergency',
  urgent: 'called urgent',
  outcome: 'reply',
  label: 'truth',
  prediction: 'answer',
  stratum: 'stratum',
  reason: 'reason',
  group: 'group',
  should_abstain: 'should defer',
};
const FLAG_WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no', null: 'not known' };

/** A value of a list in words. */
function valueWords(key: ListKey, value: string): string {
  if (key === 'decision_class') return decisionWords(value);
  if (key === 'case_kind') return caseWords(value);
  const isFlag = key === 'must_act' || key === 'urgent' || key === 'should_abstain';
  return (isFlag ? FLAG_WORDS[value] : undefined) ?? words(value);
}

/** Filters that links of charts set. */
const FLAGS = {
  usable: { yes: 'answers with a confidence', no: 'no answer with a confidence' },
  scored: { yes: 'scored', no: 'not scored' },
};

export function Filters({ payload, facets, filter, show }: FiltersProps) {
  const { facets: known, subgroups, stratum } = payload;
  const titles: Titles = { ...TITLES, stratum: stratum.label };
  const groups = Object.entries(subgroups).flatMap(([key, values]) =>
    values.map((value) => `${key}:${value}`),
  );
  const lists: readonly (readonly [ListKey, readonly string[]])[] = [
    ['case_kind', kindsIn(payload)],
    ['urgent', payload.emergency_rule === 'silence' ? [] : ['true', 'false', 'null']],
    ['outcome', known.outcome],
    ['label', known.label],
    ['prediction', known.prediction],
    ['stratum', known.stratum],
    ['reason', known.reason],
    ['group', groups],
    // Links of charts set these two; a case says the same in one word.
    ['should_abstain', []],
    ['must_act', []],
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: not all browsers know the search element yet
    <div className="filters" role="search" aria-label="Filter cases">
      <ClassFilter payload={payload} facets={facets} filter={filter} show={show} />
      <TextFilter filter={filter} show={show} />
      {lists.map(([key, values]) => (
        <Choice
          key={key}
          title={titles[key]}
          values={[...new Set([...values, ...(filter[key] ?? [])])]}
          chosen={filter[key] ?? []}
          describeValue={(value) => valueWords(key, value)}
          countMatches={(value) => countMatches(facets, key, value)}
          change={(chosen) => show(chosen.length === 0 ? without(filter, key) : { ...filter, [key]: chosen })}
        />
      ))}
      <ConfidenceRange filter={filter} show={show} />
      <SearchIn filter={filter} show={show} searchable={facets?.searchable ?? []} />
      <Chips filter={filter} titles={titles} show={show} />
    </div>
  );
}

/** What cases of the run call for. */
function kindsIn({ case_kinds: kinds }: RunPayload): readonly string[] {
  return CASE_KINDS.filter((kind) => kinds.includes(kind));
}

/** The decision classes with their counts, the worst first: one click lists a class. */
function ClassFilter({ payload, facets, filter, show }: FiltersProps) {
  const chosen = filter.decision_class ?? [];
  const counts = payload.run.decision_classes ?? {};
  const classes = DECISION_CLASSES.filter((name) => counts[name] !== undefined || chosen.includes(name));
  if (classes.length === 0) return null;
  return (
    <fieldset className="class-filter">
      <legend className="unseen">Filter by decision</legend>
      {classes.map((name) => {
        const isOn = chosen.includes(name);
        const next = isOn ? chosen.filter((other) => other !== name) : [...chosen, name];
        const n = countMatches(facets, 'decision_class', name);
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isOn}
            onClick={() =>
              show(
                next.length === 0 ? without(filter, 'decision_class') : { ...filter, decision_class: next },
              )
            }
          >
            <Decision name={name} /> <strong>{n === null ? '…' : whole(n)}</strong>
          </button>
        );
      })}
    </fieldset>
  );
}

/** How many rows a value of a list would find, under the other conditions. Labels are compared ignoring case. */
function countMatches(facets: FacetsPayload | null, key: ListKey, value: string): number | null {
  if (facets === null) return null;
  if (key === 'group') {
    const colon = value.indexOf(':');
    const counts = facets.groups[value.slice(0, colon)];
    return counts?.find((one) => one.value === value.slice(colon + 1))?.n ?? 0;
  }
  const isLabel = key === 'label' || key === 'prediction';
  const same = (one: string) => (isLabel ? labelTextKey(one) === labelTextKey(value) : one === value);
  if (key === 'must_act') return null;
  return facets.counts[key].find((one) => same(one.value))?.n ?? 0;
}

/** Words for the longer texts that a search can cover. */
const SEARCHED = { reply: 'replies', features: 'features', metadata: 'metadata' } as const;

function TextFilter({ filter, show }: Pick<FiltersProps, 'filter' | 'show'>) {
  const typing = useTypedText(filter.text ?? '', (text) =>
    show(text === '' ? without(filter, 'text') : { ...filter, text }),
  );
  return (
    <label className="field">
      <span className="unseen">Text in id, answer or reasons</span>
      <input type="search" placeholder="id, answer, reason" {...typing} />
    </label>
  );
}

interface SearchProps extends Pick<FiltersProps, 'filter' | 'show'> {
  readonly searchable: FacetsPayload['searchable'];
}

/** Where the text is looked for besides id, answer and reasons. */
function SearchIn({ filter, show, searchable }: SearchProps) {
  const chosen = filter.search_in ?? [];
  if (searchable.length === 0 && chosen.length === 0) return null;
  const toggle = (name: keyof typeof SEARCHED) => {
    const next = chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name];
    show(next.length === 0 ? without(filter, 'search_in') : { ...filter, search_in: next });
  };
  return (
    <Popover
      className="choice-button"
      label={
        chosen.length === 0
          ? 'Search more'
          : `Search in ${chosen.map((name) => SEARCHED[name]).join(', ')}, too`
      }
      title="Where to search"
    >
      <fieldset className="choices">
        <legend>Search in, too</legend>
        {[...new Set([...searchable, ...chosen])].map((name) => (
          <label key={name}>
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />{' '}
            {SEARCHED[name]}
          </label>
        ))}
      </fieldset>
    </Popover>
  );
}

interface ChoiceProps {
  readonly title: string;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  readonly describeValue: (value: string) => string;
  /** How many rows a value would find; null while that is unknown. */
  readonly countMatches: (value: string) => number | null;
  readonly change: (chosen: readonly string[]) => void;
}

function Choice({ title, values, chosen, describeValue, countMatches, change }: ChoiceProps) {
  const id = useId();
  // A run without strata has nothing to choose from.
  if (values.length === 0 || (values.length === 1 && values[0] === 'none' && chosen.length === 0))
    return null;
  return (
    <FilterBox title={title} n={chosen.length}>
      <fieldset className="choices">
        <legend>{title}</legend>
        {values.map((value, i) => {
          const n = countMatches(value);
          const rest = chosen.filter((other) => other !== value);
          return (
            <label key={value}>
              <input
                type="checkbox"
                aria-label={describeValue(value)}
                aria-describedby={n === null ? undefined : `${id}-${i}`}
                checked={chosen.includes(value)}
                onChange={() => change(chosen.includes(value) ? rest : [...chosen, value])}
              />{' '}
              <OutsideText text={describeValue(value)} />
              {n !== null && (
                <span id={`${id}-${i}`} className="quiet choice-count">
                  {whole(n)}
                </span>
              )}
            </label>
          );
        })}
      </fieldset>
    </FilterBox>
  );
}

interface BoxProps {
  readonly title: string;
  /** How many values are chosen. */
  readonly n: number;
  readonly children: ReactNode;
}

/** A button with the name of a filter, and the box that it opens. */
function FilterBox({ title, n, children }: BoxProps) {
  return (
    <Popover
      className="choice-button"
      title={`Filter by ${title}`}
      label={
        <>
          <span className="unseen">Filter by </span>
          {title}
          {n > 0 && ` (${n})`}
        </>
      }
    >
      {children}
    </Popover>
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
    <FilterBox title="confidence" n={Number(isSet)}>
      <fieldset className="choices range">
        <legend>confidence</legend>
        {field('confidence_from', 'from')}
        {field('confidence_to', 'to')}
      </fieldset>
    </FilterBox>
  );
}

/** The active filters, each with a button that removes it. */
function Chips({ filter, titles, show }: Pick<FiltersProps, 'filter' | 'show'> & { titles: Titles }) {
  const chips = [
    ...(Object.keys(TITLES) as ListKey[]).flatMap((key) => {
      const values = filter[key] ?? [];
      return values.length === 0
        ? []
        : [
            {
              key,
              text: `${titles[key]}: ${values.map((value) => valueWords(key, value)).join(' or ')}`,
              rest: without(filter, key),
            },
          ];
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
          onClick={() =>
            show({
              ...(filter.sort !== undefined && { sort: filter.sort }),
              ...(filter.column !== undefined && { column: filter.column }),
            })
          }
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

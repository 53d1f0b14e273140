import type { RecordPayload } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { words } from '../parts/words.ts';
import { Pair } from './pair.tsx';

type Features = NonNullable<RecordPayload['features']>;

/** What the model saw: first what the reasons to defer or to act rest on, then what the record itself calls abnormal. */
export function FeatureList({
  features,
  decisive,
}: {
  features: Features;
  decisive: RecordPayload['decisive'];
}) {
  const reasonsFor = new Map(decisive.map(({ feature, reasons }) => [feature, reasons]));
  const others = Object.keys(features).filter((name) => !reasonsFor.has(name));
  const isOdd = (name: string) => isAbnormal(features[name]);
  const names = [...reasonsFor.keys(), ...others.filter(isOdd), ...others.filter((name) => !isOdd(name))];
  return (
    <dl className="pairs compact features">
      {names.map((name) => {
        const reasons = reasonsFor.get(name);
        const flag = reasons ? `decides: ${reasons.map(words).join(', ')}` : null;
        return (
          <Pair
            key={name}
            title={words(name)}
            className={reasons ? 'decisive' : isAbnormal(features[name]) ? 'abnormal' : undefined}
          >
            <Value of={features[name]} />
            {flag !== null && (
              <span className="flag">
                <OutsideText text={flag} />
              </span>
            )}
          </Pair>
        );
      })}
    </dl>
  );
}

/** Only the record's own word: which values are abnormal is not for a page to know. */
function isAbnormal(value: unknown): boolean {
  return value === 'abnormal';
}

/** Lines inside a line, such as visits, stand under each other. */
function Value({ of }: { of: unknown }) {
  if (of === null || of === undefined || of === '') return <span className="quiet">not measured</span>;
  if (Array.isArray(of))
    return of.map((part, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of one value, which keep their order
      <span key={i} className="line">
        <OutsideText text={plain(part)} />
      </span>
    ));
  return <OutsideText text={plain(of)} />;
}

/** `date: 2020-01-02, serum creatinine (mg/dL): 1.2` of an object. */
function plain(value: unknown): string {
  if (value === null || value === '') return 'not measured';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, part]) => `${words(name)}: ${typeof part === 'object' ? JSON.stringify(part) : part}`)
    .join(', ');
}

import type { RecordFilter } from '../api.ts';
import { OutsideText } from '../parts/outside-text.tsx';
import { Popover } from '../parts/popover.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { COLUMNS } from './columns.ts';

interface ColumnChoiceProps {
  readonly filter: RecordFilter;
  /** Metadata keys that can be shown. */
  readonly metadata: readonly string[];
  readonly hidden: readonly string[];
  readonly show: (columns: {
    readonly hidden: readonly string[];
    readonly metadata: readonly string[];
  }) => void;
}

/** Which columns the list has. Narrow screens show every record as a card of its main facts. */
export function ColumnChoice({ filter: { column: chosen = [] }, metadata, hidden, show }: ColumnChoiceProps) {
  const isNarrow = useNarrow();
  if (isNarrow) return null;
  const toggled = (list: readonly string[], key: string) =>
    list.includes(key) ? list.filter((other) => other !== key) : [...list, key];
  return (
    <Popover className="choice-button" label="Columns" title="Columns">
      <fieldset className="choices">
        <legend>Columns</legend>
        {COLUMNS.filter(({ key }) => key !== 'id').map(({ key, title }) => (
          <label key={key}>
            <input
              type="checkbox"
              checked={!hidden.includes(key)}
              onChange={() => show({ hidden: toggled(hidden, key), metadata: chosen })}
            />{' '}
            {title}
          </label>
        ))}
      </fieldset>
      {metadata.length > 0 && (
        <fieldset className="choices">
          <legend>Metadata</legend>
          {[...new Set([...metadata, ...chosen])].map((key) => (
            <label key={key}>
              <input
                type="checkbox"
                checked={chosen.includes(key)}
                onChange={() => show({ hidden, metadata: toggled(chosen, key) })}
              />{' '}
              <OutsideText text={key} />
            </label>
          ))}
        </fieldset>
      )}
    </Popover>
  );
}

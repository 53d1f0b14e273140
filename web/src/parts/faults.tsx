import { useId } from 'react';
import { OutsideText } from './outside-text.tsx';

interface FaultsProps {
  readonly title: string;
  /** Sentences, the gravest first. */
  readonly faults: readonly string[];
}

/** What a model did that can harm a patient or make it useless; renders nothing for a model without a fault. */
export function Faults({ title, faults }: FaultsProps) {
  const id = useId();
  if (faults.length === 0) return null;
  return (
    <section className="notice faults" aria-labelledby={id}>
      <h2 id={id}>
        <OutsideText text={title} />
      </h2>
      <ul>
        {faults.map((fault) => (
          <li key={fault}>
            <OutsideText text={fault} />
          </li>
        ))}
      </ul>
    </section>
  );
}

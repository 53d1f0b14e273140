import { useId } from 'react';
import { OutsideText } from './outside-text.tsx';

interface NoticesProps {
  /** What comes before every number: faults that can harm a patient, files that were changed. */
  readonly alerts: readonly string[];
  readonly title?: string;
}

/** What a model did that can harm a patient or make it useless; nothing for a model without a fault. */
export function Alerts({ alerts, title = 'Faults of this model' }: NoticesProps) {
  return <Notice title={title} lines={alerts} className="notice faults" />;
}

/** What a reader must know before the numbers; nothing without warnings. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  return <Notice title="Before quoting a number" lines={warnings} className="notice" />;
}

interface NoticeProps {
  readonly title: string;
  readonly lines: readonly string[];
  readonly className: string;
}

function Notice({ title, lines, className }: NoticeProps) {
  const id = useId();
  if (lines.length === 0) return null;
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <OutsideText text={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}

import { OutsideText } from '../parts/outside-text.tsx';

interface PairProps {
  readonly title: string;
  readonly children: React.ReactNode;
  /** Class of the line. Default: none. */
  readonly className?: string | undefined;
}

/** A line of a list of facts. */
export function Pair({ title, children, className }: PairProps) {
  return (
    <div className={className}>
      <dt>
        <OutsideText text={title} />
      </dt>
      <dd>{typeof children === 'string' ? <OutsideText text={children} /> : children}</dd>
    </div>
  );
}

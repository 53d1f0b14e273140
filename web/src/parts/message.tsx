import { type ReactNode, useEffect, useState } from 'react';
import type { Loaded } from '../data/use-payload.ts';
import { OutsideText } from './outside-text.tsx';

interface MessageProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly bad?: boolean;
}

/** Explains why there is nothing else to show, and what to do. */
export function Message({ title, children, bad = false }: MessageProps) {
  return (
    <div className={bad ? 'message bad' : 'message'} role={bad ? 'alert' : undefined}>
      <h1>{title}</h1>
      {children}
    </div>
  );
}

/** Shown until data have loaded, or when loading failed. */
export function Waiting({ of, loaded }: { of: string; loaded: Loaded<unknown> }) {
  if (loaded.state === 'failed') {
    return (
      <Message title={`Cannot show ${of}`} bad>
        <p>
          <OutsideText text={loaded.message} />
        </p>
        <p>
          <button type="button" onClick={loaded.again}>
            Try again
          </button>
        </p>
      </Message>
    );
  }
  return <Loading of={of} />;
}

/** The shape of what comes, and after a second how long it has taken. */
function Loading({ of }: { of: string }) {
  const seconds = useSeconds();
  return (
    <div className="loading">
      <p role="status">
        Loading {of} …{seconds > 0 && <span aria-hidden="true"> {seconds} s</span>}
      </p>
      <div className="skeleton" aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
    </div>
  );
}

function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

import type { ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { Message } from './message.tsx';

interface BoundaryProps {
  readonly children: ReactNode;
  /** Shown again when one of these changes. Default: never. */
  readonly resetKeys?: unknown[];
}

/** A part of a page. If it throws, the reader sees why, and the rest of the page stays. */
export function Panel({ children, resetKeys }: BoundaryProps) {
  return (
    <ErrorBoundary
      {...(resetKeys !== undefined && { resetKeys })}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <div className="panel broken" role="alert">
          <p>This panel could not be shown: {toMessage(error)}</p>
          <button type="button" onClick={resetErrorBoundary}>
            Try again
          </button>
        </div>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

/** A page. If it throws, the navigation stays. */
export function PageBoundary({ children, resetKeys }: BoundaryProps) {
  return (
    <ErrorBoundary
      {...(resetKeys !== undefined && { resetKeys })}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <Message title="This page could not be shown" bad>
          <p>{toMessage(error)}</p>
          <p>
            <button type="button" onClick={resetErrorBoundary}>
              Try again
            </button>
          </p>
        </Message>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

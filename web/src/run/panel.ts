import type { ReactNode } from 'react';
import type { RunPayload } from '../api.ts';

export interface PanelProps {
  readonly payload: RunPayload;
  readonly query: URLSearchParams;
}

/** A part of a run's page. */
export interface RunPanel {
  readonly id: string;
  readonly show: (props: PanelProps) => ReactNode;
}

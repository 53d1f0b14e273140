import { renderText, type TextDocument } from '../../reports/formats/text.ts';
import { MAX_SCREEN_LINES } from '../../reports/layout/text-width.ts';

import type { RunResult } from '../run-result.ts';

/** What a first screen is about: a run, or rows that were scored without one. */
export type ScreenSubject = Pick<RunResult, 'card' | 'warnings'> &
  Partial<
    Pick<
      RunResult,
      | 'backendName'
      | 'baselines'
      | 'primaryEndpoint'
      | 'arm'
      | 'failures'
      | 'unusableReplies'
      | 'status'
      | 'stoppedBecause'
      | 'extras'
      | 'detectable'
      | 'judging'
      | 'verification'
      | 'repeats'
    >
  >;

/** How much of each list a screen shows. */
export interface ScreenLimits {
  readonly conditions: number;
  readonly models: number;
  /** Warnings about conditions. */
  readonly notes: number;
  readonly harms: number;
  readonly sure: number;
  /** Whether conditions and faults are said in one clause. */
  readonly isShort: boolean;
}

const LIMITS: readonly ScreenLimits[] = [
  { conditions: 5, models: 6, notes: 2, harms: 6, sure: 7, isShort: false },
  { conditions: 5, models: 6, notes: 1, harms: 6, sure: 5, isShort: false },
  { conditions: 5, models: 6, notes: 1, harms: 6, sure: 4, isShort: true },
  { conditions: 5, models: 6, notes: 1, harms: 4, sure: 3, isShort: true },
  { conditions: 5, models: 6, notes: 0, harms: 3, sure: 3, isShort: true },
  { conditions: 5, models: 6, notes: 0, harms: 2, sure: 2, isShort: true },
  { conditions: 5, models: 6, notes: 0, harms: 1, sure: 1, isShort: true },
  { conditions: 4, models: 5, notes: 0, harms: 1, sure: 1, isShort: true },
];

/** The fullest form of a screen that has at most so many lines. */
export function fitScreen(
  build: (limits: ScreenLimits) => TextDocument,
  { width, lines = MAX_SCREEN_LINES }: { readonly width?: number; readonly lines?: number } = {},
): string {
  let text = '';
  for (const limits of LIMITS) {
    text = renderText(build(limits), width);
    if (text.trimEnd().split('\n').length <= lines) break;
  }
  return `${text.trimEnd()}\n`;
}

import { stripVTControlCharacters } from 'node:util';
import { withoutText } from '../core/index.ts';
import type { Progress, RunStopped } from '../engine/index.ts';
import { askingAgainText } from './failed-rows.ts';
import type { LiveLine } from './live-line.ts';
import { printMessage } from './print.ts';
import { askedAgainText, holdsProtectedData } from './protected-data.ts';

/** What a command prints while a run is asked or judged. `end` removes the line and adds what the last counts call for. */
export function showProgress(line: LiveLine, { verbose }: { readonly verbose?: boolean | undefined }) {
  let last: Progress | null = null;
  return {
    callbacks: {
      onProgress: (progress: Progress) => {
        last = progress;
        line.update(progress);
      },
      onAskAgain: (again: Parameters<typeof askingAgainText>[0]) => printMessage(askingAgainText(again)),
      onStopped: (stopped: RunStopped) => {
        line.clear();
        process.stderr.write(verbose ? stackText(stopped) : '');
      },
    },
    end: () => {
      line.clear();
      printMessage((last && askedAgainText(last)) ?? '');
    },
  };
}

/** Where in a backend's code the error was thrown that stopped a run; empty where the stop has another reason. With protected data in the process, without the error's text. */
function stackText({ cause }: RunStopped): string {
  if (!(cause instanceof Error)) return '';
  const { stack = cause.message } = holdsProtectedData() ? withoutText(cause) : cause;
  return `${stripVTControlCharacters(stack)}\n`;
}

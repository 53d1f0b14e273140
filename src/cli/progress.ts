import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { withoutText } from '../core/errors.ts';
import { plain } from '../core/plain-text.ts';
import { durationText, type Pace, pace } from '../core/wording.ts';
import type { Progress } from '../engine/progress.ts';
import type { Backend } from '../models/backend.ts';
import { displayWidth } from '../reports/layout/wrap.ts';
import type { RunStopped } from '../transports/transport.ts';
import { messageWidth, printMessage } from './print.ts';
import { askedAgainText, holdsProtectedData } from './protected-data.ts';
import { askingAgainText } from './run-outcome.ts';

/** Prints who is asked at which host, once for each, before the first call. Models that answer in this process are not named. */
export function createAnnouncer(): (backends: readonly Pick<Backend, 'name' | 'destination'>[]) => void {
  const announced = new Set<string>();
  return (backends) => {
    for (const { name, destination } of backends) {
      if (destination === undefined) continue;
      const { host, through } = destination;
      const line = plain(`asking ${name} ${through === undefined ? `at ${host}` : `through the ${through}`}`);
      if (!announced.has(line)) printMessage(`${line}\n`);
      announced.add(line);
    }
  };
}

const REFRESH_MS = 100;
const HEARTBEAT_MS = 10_000;
const LONG_WAIT_MS = 10_000;
/** Also the width of a terminal that does not say its own. */
const MAX_COLUMNS = 120;

/** Shows how far a run is: a bar on a terminal; elsewhere a line now and then. Always on standard error. */
export class LiveLine {
  readonly #name: string;
  readonly #terminal: boolean;
  readonly #started = Date.now();
  #shown = 0;
  #first: number | null = null;
  #announced = 0;

  constructor(name: string) {
    this.#name = name;
    this.#terminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  }

  update(progress: Progress): void {
    this.#first ??= progress.done;
    const now = Date.now();
    this.#announce(progress.waitingUntil, now);
    if (
      now - Math.max(this.#shown, this.#terminal ? 0 : this.#started) <
      (this.#terminal ? REFRESH_MS : HEARTBEAT_MS)
    )
      return;
    this.#shown = now;
    const { total, done } = progress;
    const seconds = (now - this.#started) / 1000;
    const shown = {
      name: this.#name,
      progress,
      pace: pace({ left: total - done, done: done - this.#first, seconds }),
    };
    // The last column stays free: some terminals wrap as soon as it is written.
    process.stderr.write(
      this.#terminal
        ? `\r\u001b[2K${progressBar(shown, Math.min(messageWidth(), MAX_COLUMNS) - 1)}`
        : `${progressText(shown)}\n`,
    );
  }

  /** Says once that there is a long wait, and until when: an hour of silence looks like a fault. */
  #announce(until: number | null, now: number): void {
    if (until === null || until - now < LONG_WAIT_MS || until - this.#announced < LONG_WAIT_MS) return;
    this.#announced = until;
    this.clear();
    printMessage(
      `${this.#name}: the provider asks to wait ${durationText((until - now) / 1000)}, until ${new Date(until).toLocaleTimeString('en-GB')}; Ctrl-C stops, and the same command continues later\n`,
    );
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#terminal && this.#shown > 0) process.stderr.write('\r\u001b[2K');
  }
}

const BAR = { least: 8, most: 30 };

interface Shown {
  readonly name: string;
  readonly progress: Progress;
  readonly pace: Pace;
}

/** One line for a terminal: the model, a bar, and as many of the counts as fit, the most important first. */
export function progressBar({ name, ...shown }: Shown, width: number): string {
  const { total, done } = shown.progress;
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const label = shortened(plain(name), Math.max(12, Math.floor(width / 4)));
  let text = `${String(percent).padStart(3)} %`;
  const room = width - displayWidth(label) - BAR.least - 2;
  for (const part of parts(shown)) {
    const longer = `${text} · ${part}`;
    if (displayWidth(longer) <= room) text = longer;
  }
  const length = Math.min(BAR.most, width - displayWidth(label) - displayWidth(text) - 2);
  const filled = total === 0 ? length : Math.floor((done / total) * length);
  return `${label} ${pc.cyan('━'.repeat(filled))}${pc.dim('─'.repeat(length - filled))} ${text}`;
}

/** One line for a log, with everything. */
export function progressText({ name, progress, pace }: Shown): string {
  const { total, done, answered, abstained, invalid, failed } = progress;
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return [
    `${plain(name)} ${done}/${total} (${percent} %)`,
    `answered ${answered}, deferred ${abstained}, invalid ${invalid}, failed ${failed}`,
    ...looks(progress),
    `in flight ${progress.inFlight}`,
    ...rateLimits(progress),
    ...cost(progress),
    ...rate(pace),
    ...timeLeft(pace),
  ].join(' · ');
}

function parts({ progress, pace }: Omit<Shown, 'name'>): string[] {
  const { total, done, failed, invalid, abstained, inFlight } = progress;
  return [
    `${done}/${total}`,
    ...looks(progress),
    ...timeLeft(pace),
    ...(failed > 0 ? [pc.red(`failed ${failed}`)] : []),
    ...cost(progress),
    ...rate(pace),
    `in flight ${inFlight}`,
    ...rateLimits(progress),
    ...(invalid > 0 ? [`invalid ${invalid}`] : []),
    ...(abstained > 0 ? [`deferred ${abstained}`] : []),
  ];
}

function timeLeft({ secondsLeft }: Pace): string[] {
  return secondsLeft === null ? [] : [`${durationText(secondsLeft)} left`];
}

function rate({ perSecond }: Pace): string[] {
  if (perSecond === null) return [];
  return [
    perSecond >= 1 ? `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s` : `${(perSecond * 60).toFixed(1)}/min`,
  ];
}

/** The running bounds of a run that stops early, or what a condition has come to. */
function looks({ looks: look }: Progress): string[] {
  return (look?.() ?? []).map(({ gate, status, lower, upper }) => {
    const name = /\(([^)]+)\)/.exec(gate)?.[1] ?? gate.replace(/\s*[<>=].*$/, '');
    if (status !== 'undecided') return `${plain(name)} ${status === 'pass' ? 'pass' : 'fail'}`;
    if (lower === null || upper === null) return `${plain(name)} open`;
    return `${plain(name)} ${lower.toFixed(2)} to ${upper.toFixed(2)}`;
  });
}

function cost({ costUsd }: Progress): string[] {
  return costUsd === null ? [] : [`$${costUsd.toFixed(4)}`];
}

function rateLimits({ rateLimits }: Progress): string[] {
  return rateLimits > 0 ? [`429s ${rateLimits}`] : [];
}

function shortened(name: string, width: number): string {
  if (displayWidth(name) <= width) return name;
  const letters = [...name];
  while (displayWidth(letters.join('')) >= width) letters.pop();
  return `${letters.join('')}…`;
}

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

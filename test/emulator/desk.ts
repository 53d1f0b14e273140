import { createAnnouncements } from './announcements.ts';
import { createGate } from './gate.ts';
import { ask, promptOf } from './model.ts';
import type { EmulatorOptions } from './options.ts';
import type { RetryAfter } from './retry-after.ts';
import { createTally, type Outcome } from './tally.ts';
import { withUsage } from './usage.ts';
import type { Problem, Question, WireFormat } from './wire-format.ts';

export interface RecordedRequest {
  /** When it came, in milliseconds since 1970, with fractions. */
  readonly time: number;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Null unless `record` is set. */
  readonly body: string | null;
  /** Null while it has no answer yet. */
  readonly status: Outcome | null;
  /** Until when a 429 asked to wait. */
  readonly waitUntil: number | null;
}

/** What is to be done with a request. */
export interface Decision {
  readonly delayMs: number;
  readonly action:
    | { readonly kind: 'send'; readonly status: number; readonly body: object; readonly headers: Headers }
    | { readonly kind: 'stall' | 'reset' };
  /** To be told when it was done, or what happened instead. */
  readonly done: (outcome: Outcome) => void;
}

export type Headers = Readonly<Record<string, string>>;

/** Finer than Date.now(), and it never goes back. */
const now = () => performance.timeOrigin + performance.now();

/** Where requests are taken, decided on and counted. A new desk knows nothing of what was asked before. */
export function createDesk(options: EmulatorOptions) {
  const tally = createTally();
  const announcements = createAnnouncements(options);
  const gate = createGate(options);
  const requests: RecordedRequest[] = [];

  return {
    requests,
    stats: tally.stats,

    /** A request is there, if not its body yet; `decide` is to be called with that. */
    arrive(path: string, headers: RecordedRequest['headers'], inFlight: number) {
      const time = now();
      const number = tally.arrive(inFlight, announcements.isEarly(time));
      const at = requests.length;
      requests.push({ time, path, headers, body: null, status: null, waitUntil: null });
      const note = (more: Partial<RecordedRequest>) => {
        requests[at] = { ...requests[at]!, ...more };
      };

      function decide(format: WireFormat, text: string): Decision {
        if (options.record === true) note({ body: text });
        let question: Question;
        try {
          question = read(format, text, path);
        } catch (error) {
          return trouble(format, { kind: 'bad_request', detail: (error as Error).message }, 'unknown');
        }
        const problem = (kind: Problem) =>
          options.echo ? { ...kind, quote: `${keyIn(headers)} ${question.text}` } : kind;
        const prompt = promptOf(question);
        const counts = tally.prompt(`${question.model} ${prompt}`);
        counts.arrived++;
        const turnedAway = gate(number, now());
        if (turnedAway !== null)
          return trouble(format, problem(turnedAway.problem), question.model, turnedAway.retryAfter);

        counts.passed++;
        const { latencyMs = 0 } = options;
        const delayMs = typeof latencyMs === 'number' ? latencyMs : latencyMs(question, number);
        const result = ask(question, prompt, counts.passed, options);
        switch (result.kind) {
          case 'problem':
            return { ...trouble(format, problem(result.problem), question.model), delayMs };
          case 'reply': {
            const overrun = options.overrun?.(number) ?? null;
            const taken = overrun !== null && { completionTokens: overrun * (question.maxTokens ?? 1) };
            const reply = { ...result.reply, ...taken };
            const body = withUsage(format.reply(reply, question), options.usage);
            const done = (outcome: Outcome) => {
              finish(outcome);
              // Whoever leaves before the answer has it written all the same.
              tally.charge(reply.promptTokens, reply.completionTokens);
              if (outcome !== 200) return;
              counts.ok++;
              if (result.good) counts.good++;
            };
            return { delayMs, action: { kind: 'send', status: 200, body, headers: {} }, done };
          }
          default:
            return { delayMs, action: result, done: finish };
        }
      }

      function trouble(format: WireFormat, problem: Problem, model: string, wait?: RetryAfter): Decision {
        const { status, body, headers } = format.error(problem, model);
        const done = (outcome: Outcome) => {
          finish(outcome);
          if (wait === undefined || outcome !== status) return;
          const sentAt = now();
          const waitUntil = wait.until(sentAt);
          note({ waitUntil });
          announcements.announce(sentAt, waitUntil);
        };
        const action = { kind: 'send' as const, status, body, headers: { ...headers, ...wait?.headers } };
        return { delayMs: 0, action, done };
      }

      function finish(outcome: Outcome): void {
        note({ status: outcome });
        tally.outcome(outcome);
      }

      return { decide };
    },
  };
}

/** The key of a request: some servers quote that too. */
function keyIn(headers: RecordedRequest['headers']): string {
  const names = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'];
  return String(names.map((name) => headers[name]).find((key) => key !== undefined) ?? 'no key');
}

function read(format: WireFormat, text: string, path: string): Question {
  const body = JSON.parse(text);
  if (body.stream === true) throw new Error('streaming is not emulated');
  return format.read(body, path);
}

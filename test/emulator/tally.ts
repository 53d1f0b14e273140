/** What became of a request: the status it was given, or why it got none. */
export type Outcome = number | 'stalled' | 'reset' | 'gone';

interface PromptCounts {
  arrived: number;
  passed: number;
  ok: number;
  good: number;
}

export interface EmulatorStats {
  readonly requests: number;
  /** When the first came, in milliseconds of the clock; null before that. */
  readonly firstAt: number | null;
  /** When the last outcome was settled; null before the first. */
  readonly lastAt: number | null;
  /** By status; `stalled`, `reset` and `gone` (the client left before the answer) are counted beside them. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Requests that came between a 429 and the moment until which it asked to wait. */
  readonly early: number;
  readonly maxInFlight: number;
  /** Tokens of all replies that were written, also of those that nobody waited for: what a provider charges. */
  readonly charged: { readonly inputTokens: number; readonly outputTokens: number };
  /** Different prompts; each model has its own. */
  readonly prompts: number;
  /** Prompts that came more than once, whatever they were given. */
  readonly repeated: number;
  /** How many prompts were answered 200 once, twice, ...: `{ 1: 40, 2: 3 }`. */
  readonly okByPrompt: Readonly<Record<string, number>>;
  /** The same for answers without any fault in them. */
  readonly goodByPrompt: Readonly<Record<string, number>>;
}

/** The counts behind `stats()`. */
export function createTally() {
  const prompts = new Map<string, PromptCounts>();
  const byStatus: Record<string, number> = {};
  let requests = 0;
  let firstAt: number | null = null;
  let lastAt: number | null = null;
  let early = 0;
  let maxInFlight = 0;
  const charged = { inputTokens: 0, outputTokens: 0 };
  const histogram = (count: (counts: PromptCounts) => number) => {
    const times: Record<string, number> = {};
    for (const counts of prompts.values()) {
      const n = count(counts);
      if (n > 0) times[n] = (times[n] ?? 0) + 1;
    }
    return times;
  };

  return {
    arrive(inFlight: number, isEarly: boolean): number {
      firstAt ??= Date.now();
      if (isEarly) early++;
      maxInFlight = Math.max(maxInFlight, inFlight);
      return requests++;
    },
    prompt(key: string): PromptCounts {
      const known = prompts.get(key);
      if (known !== undefined) return known;
      const counts = { arrived: 0, passed: 0, ok: 0, good: 0 };
      prompts.set(key, counts);
      return counts;
    },
    charge(inputTokens: number, outputTokens: number): void {
      charged.inputTokens += inputTokens;
      charged.outputTokens += outputTokens;
    },
    outcome(outcome: Outcome): void {
      lastAt = Date.now();
      byStatus[outcome] = (byStatus[outcome] ?? 0) + 1;
    },
    stats(): EmulatorStats {
      return {
        requests,
        firstAt,
        lastAt,
        byStatus: { ...byStatus },
        early,
        maxInFlight,
        charged: { ...charged },
        prompts: prompts.size,
        repeated: prompts.values().reduce((n, { arrived }) => n + (arrived > 1 ? 1 : 0), 0),
        okByPrompt: histogram(({ ok }) => ok),
        goodByPrompt: histogram(({ good }) => good),
      };
    },
  };
}

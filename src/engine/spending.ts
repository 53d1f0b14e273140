import { KrisisError, type TokenUsage } from '../core/index.ts';
import { type Backend, BackendError } from '../models/index.ts';

/** Keeps a run within its budget: no call is begun that would, by what calls have cost so far, pass it. */
export class Spending {
  readonly #budget: number;
  #spent: number;
  #expected = 0;
  #calls = 0;
  #paid = 0;
  #underWay = 0;
  #onBooked: (() => void)[] = [];

  /** @param spent what the run has cost before, in earlier processes. */
  constructor(budgetUsd: number, spent: number) {
    this.#budget = budgetUsd;
    this.#spent = spent;
  }

  /** Reserves the expected cost of a call; `book` releases it. Waits for calls in flight where they decide whether there is room. */
  async reserve(estimateUsd: number): Promise<number> {
    for (;;) {
      // Reasoning makes calls cost more than their text: the mean of the calls so far is the better estimate.
      const expected = Math.max(estimateUsd, this.#calls === 0 ? 0 : this.#paid / this.#calls);
      if (this.#spent + this.#expected + expected <= this.#budget) {
        this.#expected += expected;
        this.#underWay += 1;
        return expected;
      }
      if (this.#underWay === 0)
        throw new BackendError(
          'budget',
          `the budget of ${dollars(this.#budget)} is used up: ${dollars(this.#spent)} spent, and the next call costs about ${dollars(expected)}; raise the budget to continue`,
        );
      await new Promise<void>((resolve) => {
        this.#onBooked.push(resolve);
      });
    }
  }

  /** Releases a reservation, and adds what the call cost. */
  book(expected: number, cost: number | null): void {
    this.#underWay -= 1;
    this.#expected = this.#underWay === 0 ? 0 : this.#expected - expected;
    for (const resume of this.#onBooked.splice(0)) resume();
    this.#spent += cost ?? 0;
    if (cost === null) return;
    this.#calls += 1;
    this.#paid += cost;
  }
}

/** Refuses a budget for a model whose price is unknown: it could not be kept. */
export function checkPrice({ name, cost }: Backend): void {
  const probe: TokenUsage = { inputTokens: 1, outputTokens: 1 };
  if (cost === undefined || cost(probe) === null)
    throw new KrisisError(
      `${name}: its price is not known, so a budget cannot be kept; name a price in US dollars per million tokens, or leave the budget out`,
      { code: 'ERR_PRICE_UNKNOWN', value: name },
    );
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}

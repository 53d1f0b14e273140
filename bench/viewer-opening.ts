import { type Browser, chromium, type Page } from 'playwright-core';
import { startView, type ViewProcess, withToken } from '../test/view-process.ts';
import { report } from './fixture.ts';

const WARM_TIMES = 9;
const FIRST_TIMES = 5;

/** Time from going to a page until it can be used, in a browser that has none of it yet. */
interface Opening {
  readonly name: string;
  readonly address: (run: string) => string;
  /** Milliseconds since the browser set out for the page. */
  readonly usableAfter: (page: Page) => Promise<number>;
}

const RUN_PAGE: Opening = {
  name: 'Run page',
  address: (run) => `#/runs/${run}`,
  // Numbers and charts are there.
  usableAfter: (page) =>
    momentOf(
      page,
      "document.querySelectorAll('.cards li').length > 0 && document.querySelectorAll('.charts svg').length >= 3",
    ),
};

const RECORDS_PAGE: Opening = {
  name: 'Records page',
  address: (run) => `#/runs/${run}/records`,
  // The first rows are there, and a key opens one.
  async usableAfter(page) {
    await momentOf(page, "document.querySelector('[role=row] a') !== null");
    await page.locator('[role=row] a').first().focus();
    await page.keyboard.press('Enter');
    return momentOf(page, "document.querySelector('[role=row].here') !== null");
  },
};

/** Looked at in every frame, in the page itself: what waits from outside looks at ever longer intervals. */
function momentOf(page: Page, condition: string): Promise<number> {
  return page.evaluate(
    `new Promise((done) => { const look = () => (${condition}) ? done(performance.now()) : requestAnimationFrame(look); look(); })`,
  );
}

/** Both runs by turns, so that whatever else the machine does meets both. */
export async function measureOpening(
  folder: string,
  { small, large, browser: executablePath }: { small: string; large: string; browser: string },
): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    for (const opening of [RUN_PAGE, RECORDS_PAGE]) {
      const warm = await startView(folder);
      try {
        const times = await byTurns(
          WARM_TIMES,
          [small, large],
          (run) => opened(browser, warm, opening, run),
          2,
        );
        say(`${opening.name}, warm server`, times);
      } finally {
        await warm.stop();
      }
      const first = await byTurns(FIRST_TIMES, [small, large], async (run) => {
        const fresh = await startView(folder);
        try {
          return await opened(browser, fresh, opening, run);
        } finally {
          await fresh.stop();
        }
      });
      say(`${opening.name}, first after the server's start`, first);
    }
  } finally {
    await browser.close();
  }
}

function say(what: string, [small, large]: readonly number[][]): void {
  const [few, many] = [median(small!), median(large!)];
  report(`${what}: ${many.toFixed(0)} ms with 100,000 rows / ${few.toFixed(0)} ms with 100`, many / few, 1.5);
}

async function byTurns(
  times: number,
  runs: readonly string[],
  measure: (run: string) => Promise<number>,
  nNotCounted = 0,
): Promise<number[][]> {
  const found = runs.map((): number[] => []);
  for (let i = -nNotCounted; i < times; i++)
    for (const [place, run] of runs.entries()) {
      const time = await measure(run);
      if (i >= 0) found[place]!.push(time);
    }
  return found;
}

async function opened(
  browser: Browser,
  { url, token }: ViewProcess,
  opening: Opening,
  run: string,
): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(withToken(url + opening.address(run), token), { waitUntil: 'commit' });
    return await opening.usableAfter(page);
  } finally {
    await context.close();
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

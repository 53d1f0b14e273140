import { VERDICTS } from '../verdict.ts';
import TEXT from './judge-text.json' with { type: 'json' };

/** What each verdict means, in the words that a judge gets: people who label the same items go by the same definitions. */
export const VERDICT_DEFINITIONS: Readonly<Record<string, string>> = Object.fromEntries(
  VERDICTS.map((verdict) => {
    const start = `- ${verdict}: `;
    const line = TEXT.instructions.find((one) => one.startsWith(start)) ?? start;
    return [verdict, `${line.charAt(start.length).toUpperCase()}${line.slice(start.length + 1)}`];
  }),
);

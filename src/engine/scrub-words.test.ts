import { describe, expect, it } from 'vitest';
import { scrubWords } from './scrub-words.ts';

const records = [
  {
    id: 'a',
    features: {
      name: 'Zoltan Quibblewick',
      note: 'Lives in Bad Wörishofen, takes 150 mg; case of ill health',
      ferritin: 83917.25,
      visits: [{ place: 'Kanariengasse 7' }],
    },
  },
];
const keep = new Set(['case', 'ill']);

describe('scrubWords', () => {
  it.each([
    ['Mr. QUIBBLEWICK is ill', 'Mr. [redacted] is ill'],
    ["Zoltan's dose of 150 mg, not 1500", "[redacted]'s dose of [redacted] mg, not 1500"],
    ['near wörishofen, on kanariengasse', 'near [redacted], on [redacted]'],
    ['The case as I read it: name: Zol', 'The case as I read it: name: [redacted]'],
    ['ferritin 839', 'ferritin [redacted]'],
    ['Zol is no word of theirs', 'Zol is no word of theirs'],
    ['a case of il', 'a case of il'],
  ])('%s -> %s', (text, clean) => {
    expect(scrubWords(text, records, keep)).toBe(clean);
  });
});

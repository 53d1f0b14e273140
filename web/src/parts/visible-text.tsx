import type { ReactNode } from 'react';

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** Line breaks and tabs are layout; joiners belong to the spelling of words and emoji. */
const ORDINARY = '\n\r\t\u200c\u200d';

const NAMES: Readonly<Record<string, string>> = {
  '\u00ad': 'SHY',
  '\u061c': 'ALM',
  '\u200b': 'ZWSP',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u2028': 'LS',
  '\u2029': 'PS',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2060': 'WJ',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
};

/** Text from outside, as text. Characters that change its direction or are invisible appear as marks such as ⟨RLO⟩, so that what is read is what is there. */
export function VisibleText({ children: text }: { children: string }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    if (ORDINARY.includes(character)) continue;
    parts.push(
      text.slice(from, index),
      <span key={index} className="unseen-character" title="an invisible character of the text">
        {markOf(character)}
      </span>,
    );
    from = index + character.length;
  }
  return from === 0 ? text : [...parts, text.slice(from)];
}

/** The same for places that take no elements, such as the title of a page. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => (ORDINARY.includes(character) ? character : markOf(character)));
}

function markOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `⟨${NAMES[character] ?? `U+${code}`}⟩`;
}

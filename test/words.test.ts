import { describe, expect, it } from 'vitest';
import { inWords } from '../src/reports/words.ts';
import { MESSAGES, type Text } from './suggested.ts';

/** People read case, answer, defer and emergency, in plain sentences. */

/** Phrases that readers stumbled over, and what is said instead. */
const ODD: readonly (readonly [RegExp, string])[] = [
  [/held back|withheld by the model/, 'deferred'],
  [/surer/, 'more confident'],
  [/p(-value)? of "calibrated"/, 'the name of the test'],
  [/\bread right\b|near a line \(reading\)|reading (accuracy )?near a line/i, 'right label'],
  [/are the least for/, 'at least'],
  [/cannot be told from/, 'no difference is shown'],
  [/sum of the next/, 'add up to'],
  [/graver/, 'more severe'],
  [/rows that have no answer/, 'cases without a derivable answer'],
  [/set aside for calls/, 'reserved'],
  [/right if answerable/, 'right answers to cases that call for one'],
  [/not the digits/, 'nothing'],
  [/for lack of a threshold/, 'because no threshold was found'],
  [/needs no model/, 'a rule without a model'],
  [/share x |\) x right/, 'times'],
  [/\(metadata\.must_act\)/, 'emergencies'],
  [/all models, history/i, 'every run of this suite'],
  [/met with silence/, 'how the emergency was missed'],
  [/over all rows|of all rows|per record|scored rows|rows are not scored/i, 'cases'],
  [/safe to answer\?|what call(ed)? for an answer\?/, 'a statement'],
];

/** Technical texts that are no sentences for people: prompts and rules that models read, SQL, and names in files. */
const TECHNICAL =
  /^src\/(?:domains\/.*task|domains\/cohort\/clinical-task|models\/api\/prompt|statistics|conformance|store\/)/;
const READ: readonly Text[] = MESSAGES.filter(({ place }) => !TECHNICAL.test(place)).flatMap(
  ({ place, text }) => (place.endsWith('.json') ? valuesIn(JSON.parse(text), place) : [{ place, text }]),
);

/** The texts among the values of a JSON file: its keys and ids are no words for people. */
function valuesIn(value: unknown, place: string): Text[] {
  if (typeof value === 'string') return /\s/.test(value) ? [{ place, text: value }] : [];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((each) => valuesIn(each, place))
    : [];
}

/** What developers of suites and backends call a case, a file's lines, and what a file says of itself. */
const RECORDS_ARE_MEANT =
  /^src\/(?:conformance\/|suites\/|domains\/|models\/|engine\/(?:benchmark|evaluate-batch)\.|statistics\/|files\/|core\/|transports\/)/;
const A_CASE_IS_MEANT =
  /\b(?:every|each|no|a|the|these|those|scored|failed|answered|excluded|paired|different|same|must-defer) (?:record|row)s?\b/i;
/** Lines of a table that the user hands over, and rows as a run file stores them. */
const A_LINE_IS_MEANT =
  /of rows|of the rows, should|\bno rows\b|A row is one line|no row has any of|A\nrow|every row\b|no row has the label|row of|first row|rows? without|whole row|from the rows|those of the rows|without the rows|with the rows|before the rows|Shares? of the row|shares of the row|The row for|same rows, scores|the rows of csv|leave the rows|the rows of (?:repeats|a case)/;

describe('what people read', () => {
  it.each(ODD)('has no %s', (odd) => {
    expect(READ.filter(({ text }) => odd.test(text)).map(({ place, text }) => `${place}: ${text}`)).toEqual(
      [],
    );
  });

  it('says case, not record or row', () => {
    const wrong = READ.filter(
      ({ place, text }) =>
        /\s/.test(text.trim()) &&
        !RECORDS_ARE_MEANT.test(place) &&
        A_CASE_IS_MEANT.test(text.replaceAll(/--[a-z-]+|"[a-z]+"/g, '')) &&
        !A_LINE_IS_MEANT.test(text),
    );
    expect(wrong.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  });

  it('says defer, not abstain, also for the codes of files', () => {
    expect(
      ['abstained', 'should_abstain', 'answered_correct', 'must_act', 'no_mapped_column'].map(inWords),
    ).toEqual(['deferred', 'should defer', 'answered right', 'emergency', 'no mapped column']);
    const wrong = READ.filter(
      ({ place, text }) =>
        /^(?:src\/(?:analyses|runs|reports|metrics|cli)|web)\//.test(place) &&
        /\babstain(?:s|ing)?\b|\babstentions?\b/i.test(text) &&
        /\s/.test(text.trim()) &&
        !/--abstain|abstained[,:]|Abstention Rate|should_abstain|abstain abstention|Abstain when|abstained\b.*\{/.test(
          text,
        ),
    );
    expect(wrong.map(({ place, text }) => `${place}: ${text}`)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { redactReply } from './redact-reply.ts';

const task = { labels: [1, 2, 3] } as never;
const records = [{ id: 'a', features: { name: 'Doe-4711', age: 3, score: 0.5 } }];

describe('redactReply', () => {
  it.each([
    '{"prediction":"3","abstained":false,"confidence":0.5}',
    '{"prediction":null,"abstained":true,"confidence":null}',
    '{"results":[{"id":"case_1","prediction":3,"abstained":false,"confidence":0.5}]}',
    '{"reasoning":null,"abstained":true,"prediction":null,"confidence":0.5,"reason":"data_missing"}',
  ])('keeps a reply that is nothing but an answer: %s', (text) => {
    expect(redactReply(text, records, task)).toBe(text);
  });

  it('blanks reasoning, all of it, and leaves every other place where it was', () => {
    const answer = '"abstained":false,"prediction":"3","confidence":0.5,"reason":null}';
    const inField = `{"reasoning":"He is \\"old\\" and ill.",${answer}`;
    expect(redactReply(inField, records, task)).toBe(`{"reasoning":"${'█'.repeat(22)}",${answer}`);
    const inTags = `<think>An old man.</think>{"reasoning":null,${answer}`;
    const redacted = redactReply(inTags, records, task);
    expect(redacted).not.toMatch(/old|man/);
    expect(redacted).toHaveLength(inTags.length);
  });

  it.each([
    ['{"prediction":"Doe-4711","abstained":false,"confidence":0.9}', 'Doe-4711'],
    ['{"prediction":"1","abstained":false,"confidence":0.9,"why":"Doe-4711 is old"}', 'Doe-4711'],
    ['{"results":[{"id":"Doe-4711","prediction":1,"abstained":false,"confidence":0.9}]}', 'Doe-4711'],
    ['{"results":[],"note":"Doe-4711"}', 'Doe-4711'],
    ['Doe-4711 has {"prediction":"1","abstained":false,"confidence":0.9}', 'Doe-4711'],
    ['{"prediction":"1","abstained":"Doe-4711","confidence":0.9}', 'Doe-4711'],
    ['["Doe-4711"]', 'Doe-4711'],
    ['{"abstained":true,"prediction":null,"confidence":null,"reason":"Doe-4711"}', 'Doe-4711'],
    ['As Mr. Doe is old, I', 'Doe'],
    ['{"prediction":"1","why":"Doe-47', 'Doe'],
    ['"Doe-4711"', 'Doe-4711'],
  ])('takes out what a reply quotes besides: %s', (text, quoted) => {
    expect(redactReply(text, records, task)).not.toContain(quoted);
  });
});

import { describe, expect, it } from 'vitest';
import { type ReplyToken, replyTokens } from './model-reply.ts';
import { tokenConfidence } from './token-confidence.ts';

type Piece = string | readonly [text: string, probability: number, others?: Readonly<Record<string, number>>];

/** A reply from its tokens: a text alone is certain. */
function buildReply(...pieces: readonly Piece[]): { text: string; tokens: ReplyToken[] } {
  const tokens = pieces.map((piece): ReplyToken => {
    const [text, probability, others = {}] = typeof piece === 'string' ? [piece, 1] : piece;
    return {
      text,
      logprob: Math.log(probability),
      others: Object.entries(others).map(([other, p]) => ({ text: other, logprob: Math.log(p) })),
    };
  });
  return { text: tokens.map(({ text }) => text).join(''), tokens };
}

const YES_NO = ['yes', 'no'];
const confidence = (reply: ReturnType<typeof buildReply>, prediction: string, labels = YES_NO) =>
  tokenConfidence(reply, null, prediction, labels);

describe('tokenConfidence', () => {
  it('divides the mass of the answer by that of all labels at its place', () => {
    const reply = buildReply(
      '{"abstained":false,"prediction":"',
      ['yes', 0.6, { no: 0.3, maybe: 0.1 }],
      '"}',
    );
    expect(confidence(reply, 'yes')).toBeCloseTo(0.6 / 0.9, 12);
  });

  it('adds up spellings of one label', () => {
    const reply = buildReply('{"prediction": "', ['yes', 0.5, { Yes: 0.2, no: 0.3 }], '"}');
    expect(confidence(reply, 'yes')).toBeCloseTo(0.7, 12);
  });

  it('follows a label of several tokens to its end, and labels that begin alike to where they part', () => {
    const labels = ['G2', 'G3a', 'G3b'];
    const reply = buildReply(
      '{"prediction":"',
      ['G', 0.99],
      ['3', 0.8, { '2': 0.2 }],
      ['a', 0.75, { b: 0.25 }],
      '"}',
    );
    expect(confidence(reply, 'G3a', labels)).toBeCloseTo(0.6, 12);
  });

  it('tells a label from a longer one by its end', () => {
    const reply = buildReply('{"prediction":"', ['G3', 1], ['"', 0.7, { a: 0.3 }], '}');
    expect(confidence(reply, 'G3', ['G3', 'G3a'])).toBeCloseTo(0.7, 12);
  });

  it('reads a token that holds the quote as well, and numbers without quotes', () => {
    const quoted = buildReply('{"prediction":', ['"yes"', 0.9, { '"no"': 0.1, null: 0.05 }], '}');
    expect(confidence(quoted, 'yes')).toBeCloseTo(0.9, 12);
    const plain = buildReply('{"prediction": ', ['2', 0.8, { '1': 0.2 }], '}');
    expect(tokenConfidence(plain, null, 2, [1, 2])).toBeCloseTo(0.8, 12);
  });

  it('takes the answer of the case in a reply to several', () => {
    const reply = buildReply(
      '{"results":[{"id":"a","prediction":"',
      ['yes', 0.6, { no: 0.4 }],
      '"},{"id":"b","prediction":"',
      ['no', 0.9, { yes: 0.1 }],
      '"}]}',
    );
    const start = reply.text.indexOf('{"id":"b"');
    const span = { start, end: reply.text.indexOf(']}') };
    expect(tokenConfidence(reply, span, 'no', YES_NO)).toBeCloseTo(0.9, 12);
    expect(confidence(reply, 'no')).toBeNull();
  });

  it('is not misled by reasoning that speaks of a prediction', () => {
    const reply = buildReply(
      '{"reasoning":"a \\"prediction\\": \\"no\\" is tempting","prediction":"',
      ['yes', 0.8, { no: 0.2 }],
      '"}',
    );
    expect(confidence(reply, 'yes')).toBeCloseTo(0.8, 12);
  });

  it('leaves out tokens that the server cut from the text', () => {
    const answer = '{"prediction":"';
    const { text, tokens } = buildReply(
      `${answer}no"} `,
      '\n\n',
      answer,
      ['yes', 0.8, { no: 0.2 }],
      '"} ',
      '</s>',
    );
    const reply = { text: text.slice(text.lastIndexOf('{'), -'</s>'.length).trim(), tokens };
    expect(confidence(reply, 'yes')).toBeCloseTo(0.8, 12);
  });

  it('is null where the labels seen cover little, the answer is not at its place, or tokens are not the text', () => {
    expect(confidence(buildReply('{"prediction":"', ['yes', 0.2, { x: 0.8 }], '"}'), 'yes')).toBeNull();
    expect(confidence(buildReply('{"prediction":"', ['maybe', 0.9], '"}'), 'yes')).toBeNull();
    const { tokens } = buildReply('{"prediction":"', 'yes', '"}');
    expect(tokenConfidence({ text: '{"prediction":"yes" }', tokens }, null, 'yes', YES_NO)).toBeNull();
    expect(tokenConfidence({ text: 'yes', tokens: null }, null, 'yes', YES_NO)).toBeNull();
  });
});

describe('replyTokens', () => {
  const entry = {
    token: 'yes',
    logprob: -0.1,
    top_logprobs: [
      { token: 'no', logprob: -2 },
      { token: 'yes', logprob: -0.1 },
    ],
  };
  const expected = [{ text: 'yes', logprob: -0.1, others: [{ text: 'no', logprob: -2 }] }];

  it('reads chat completions and the Responses API', () => {
    expect(replyTokens({ choices: [{ logprobs: { content: [entry] } }] })).toEqual(expected);
    expect(replyTokens({ output: [{ content: [{ logprobs: [entry] }] }, { type: 'reasoning' }] })).toEqual(
      expected,
    );
  });

  it.each([
    undefined,
    {},
    { choices: [{ logprobs: null }] },
    { choices: [{ logprobs: { content: 'x' } }] },
    { choices: [{ logprobs: { content: [{ token: 'a', logprob: 'b' }] } }] },
    { choices: [{ logprobs: { content: [{ token: 'a', logprob: 3 }] } }] },
    { output: 'x' },
    { output: [null, { content: null }] },
  ])('is null for %j', (body) => {
    expect(replyTokens(body)).toBeNull();
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KrisisError } from '../../core/errors.ts';
import { readQuestionFile } from './find-question-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-questions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readQuestionFile(path);
};
const problem = async (name: string, text: string) => {
  const error = await read(name, text).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KrisisError);
  return (error as Error).message.replaceAll(`${folder}/`, '');
};

const YAML = `name: ward7/advice
rubric:
  regex_traits:
    - { name: units, pattern: mmol/L }
aliases:
  Names paracetamol: [acetaminophen]
questions:
  - id: pain
    question: |
      What may I take for pain?
    rubric:
      metric_traits:
        - name: advice
          metrics: [recall]
          tp_instructions: [Names paracetamol, Warns about NSAIDs]
    tags: [drugs]
    should_abstain: false
    sources: [our ward handbook]
    aliases:
      Warns about NSAIDs: [ibuprofen]
  - id: photo
    question: What does the photo show?
    should_abstain: true
`;
const TRAIT = { name: 'advice', metrics: ['recall'], tp_instructions: ['Names paracetamol'] };
const JSONL = [
  { name: 'ward7/advice', rubric: { regex_traits: [{ name: 'units', pattern: 'mmol/L' }] } },
  { id: 'pain', question: 'What may I take for pain?', rubric: { metric_traits: [TRAIT] } },
].map((line) => JSON.stringify(line));

describe('YAML', () => {
  it('is read with the rubric of all questions merged into each', async () => {
    const suite = await read('a.yaml', YAML);
    expect([suite.name, suite.sensitivity, suite.rubric.traitNames()]).toEqual([
      'ward7/advice',
      'protected',
      ['units'],
    ]);
    const [pain, photo] = suite.questions;
    expect(pain).toMatchObject({
      id: 'pain',
      question: 'What may I take for pain?',
      reference: null,
      tags: ['drugs'],
      shouldAbstain: false,
      sources: ['our ward handbook'],
      aliases: { 'Names paracetamol': ['acetaminophen'], 'Warns about NSAIDs': ['ibuprofen'] },
    });
    expect(Object.fromEntries(pain!.rubric.provenance)).toEqual({ units: 'global', advice: 'question' });
    expect(photo).toMatchObject({ shouldAbstain: true, tags: [], aliases: {} });
  });

  it('may begin with a byte order mark, and .yml and .json are read too', async () => {
    const { hash } = await read('b.yml', `\uFEFF${YAML}`);
    const object = {
      name: 'x',
      questions: [{ id: 'a', question: 'Why?', should_abstain: null, rubric: { metric_traits: [TRAIT] } }],
    };
    const suite = await read('c.json', `${JSON.stringify(object, null, '\t')}\n`);
    expect([hash.length, suite.questions[0]!.shouldAbstain]).toEqual([64, null]);
  });

  it.each([
    ['an unknown key', YAML.replace('tags:', 'tag:'), 'a.yaml:16: unknown key "tag"; did you mean tags?'],
    [
      'an unknown key of the file',
      `${YAML}judge: x\n`,
      'a.yaml:24: unknown key "judge"; the known keys are name, sensitivity, system, template, rubric, aliases, questions',
    ],
    [
      'a key that is missing',
      YAML.replace('id: photo', 'tags: []'),
      'a.yaml:21: questions[1].id is not given; expected a short text without blanks (a number in quotes)',
    ],
    [
      'a number for an id',
      YAML.replace('id: photo', 'id: 7'),
      'a.yaml:21: questions[1].id is 7; expected a short text without blanks (a number in quotes)',
    ],
    [
      'yes for true',
      YAML.replace('true', 'yes'),
      'a.yaml:23: questions[1].should_abstain is "yes"; expected true, false or null',
    ],
    [
      'an id twice',
      YAML.replace('id: photo', 'id: pain'),
      'a.yaml:21: id "pain" is already that of question 1 (a.yaml:8); give each question an id of its own',
    ],
    [
      'a key twice',
      `${YAML}name: b\n`,
      'a.yaml: not readable as YAML: Map keys must be unique at line 24, column 1',
    ],
    [
      'a tag of YAML',
      YAML.replace('photo', '!!js/function photo'),
      'a.yaml: not readable as YAML: Unresolved tag: tag:yaml.org,2002:js/function at line 21, column 9',
    ],
    ['no questions', 'name: a\nquestions: []\n', 'a.yaml:2: questions is []; expected at least one question'],
    ['a list', '- a\n', 'a.yaml: it is ["a"]; expected an object with name and questions'],
    ['an empty file', '', 'a.yaml: it is null; expected an object with name and questions'],
    [
      'a trait with a typo',
      YAML.replace('tp_instructions', 'tp_instruction'),
      'a.yaml:11: questions[0].rubric:',
    ],
    ['a rubric with a typo', YAML.replace('regex_traits', 'regexp_traits'), 'a.yaml:2: rubric:'],
    [
      'a name that both rubrics have',
      YAML.replace('name: advice', 'name: Units'),
      'a.yaml:11: questions[0].rubric: trait "Units" of the question has the name of "units" in the global rubric',
    ],
    [
      'aliases of no instruction',
      YAML.replace('Warns about NSAIDs: [', 'Warns of NSAIDs: ['),
      'a.yaml:20: aliases for "Warns of NSAIDs", which is not an instruction of its rubric; did you mean "Warns about NSAIDs"?',
    ],
    [
      'aliases without a phrase',
      YAML.replace('[ibuprofen]', '[]'),
      'a.yaml:20: questions[0].aliases.Warns about NSAIDs is []; expected a list of at least one phrase',
    ],
    [
      'a question that nothing judges',
      'name: a\nquestions:\n  - id: a\n    question: Why?\n',
      'a.yaml:3: the answer would be judged by nothing',
    ],
  ])('with %s is refused', async (_, text, message) => {
    expect(await problem('a.yaml', text)).toContain(message);
  });

  it('says all that is wrong at once', async () => {
    const wrong = YAML.replace('tags:', 'tag:')
      .replace('true', 'yes')
      .replace('ward7/advice', 'our ward')
      .replace('id: photo', 'id: pain');
    expect((await problem('a.yaml', wrong)).split('\n')).toHaveLength(4);
  });
});

describe('JSONL', () => {
  it('has one question a line, and what they share on the first', async () => {
    const suite = await read('a.jsonl', JSONL.join('\n'));
    expect(suite.name).toBe('ward7/advice');
    expect(suite.questions.map(({ id, rubric }) => [id, rubric.traitNames()])).toEqual([
      ['pain', ['advice', 'units']],
    ]);
  });

  it('does without the first line', async () => {
    const suite = await read('my own.jsonl', `${JSONL[1]}\r\n\r\n`);
    expect([suite.name, suite.questions.length, suite.rubric.traitNames()]).toEqual(['my-own', 1, []]);
  });

  it.each([
    ['a broken line', [...JSONL, '{"id": '], 'a.jsonl:3: not JSON:'],
    ['a list', [...JSONL, '', '[1]'], 'a.jsonl:4: "[1]"; expected one object per line'],
    [
      'an unknown key',
      [...JSONL, '{"id":"b","questoin":"Why?"}'],
      'a.jsonl:3: unknown key "questoin"; did you mean question?',
    ],
    [
      'a wrong value',
      [...JSONL, '{"id":"b","question":"","tags":"x"}'],
      'a.jsonl:3: question is ""; expected the text that the model is asked',
    ],
    [
      'an unknown key on the first line',
      ['{"nmae":"x"}', JSONL[1]!],
      'a.jsonl:1: unknown key "nmae"; did you mean name?',
    ],
    [
      'a document',
      ['{"name":"x","questions":[]}'],
      'a.jsonl:1: each question of a JSONL file needs a line of its own',
    ],
    ['nothing', [''], 'a.jsonl: questions is []; expected at least one question'],
  ])('with %s is refused', async (_, lines, message) => {
    expect(await problem('a.jsonl', lines.join('\n'))).toContain(message);
  });
});

describe('other files', () => {
  it('are refused', async () => {
    expect(await problem('a.json', 'name: a')).toContain('a.json: not JSON:');
    await expect(readQuestionFile(join(folder, 'none.yaml'))).rejects.toThrow(
      'no such file; expected a file of questions',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { isForced, responseSchema } from '../../suites/task.ts';
import { PERSONALITIES } from '../simulated/personality.ts';
import { simulatedBackend } from '../simulated/simulated-backend.ts';
import { readAnswer } from './parse-reply.ts';
import { systemText } from './prompt.ts';

const task = (defaultArm: string) => ({
  id: 'exam/bones',
  labels: ['A', 'B', 'C'],
  ordered: false,
  defaultArm,
  arms: {
    plain: { instructions: 'Which option is right?', isForced: true },
    abstain: { instructions: 'Which option is right? You may abstain.' },
  },
  primaryEndpoint: { metric: 'accuracy', arm: 'plain', why: 'as in papers' },
});

describe('an arm that requires an answer', () => {
  const [plain, free] = [task('plain'), task('abstain')];

  it('has no room for abstaining in its schema or its prompt', () => {
    expect([isForced(plain), isForced(free)]).toEqual([true, false]);
    for (const reasoning of [true, false]) {
      const { properties, required } = responseSchema(plain, { reasoning });
      expect(required).toEqual([...(reasoning ? ['reasoning'] : []), 'prediction', 'confidence']);
      expect(properties.prediction).toEqual({ type: 'string', enum: ['A', 'B', 'C'] });
      for (const mode of ['single', 'batch'] as const) {
        const text = systemText(mode, plain, { reasoning });
        expect(text).not.toMatch(/abstain|or null>, "confidence"/);
        expect(text).toContain('An answer is required.');
      }
    }
    expect(systemText('single', free)).toContain('- abstained: true when you abstain');
  });

  it('reads a reply without the field, and no reply without an answer', () => {
    expect(readAnswer({ prediction: 'b', confidence: 0.5 }, plain)).toEqual({
      prediction: 'B',
      abstained: false,
      confidence: 0.5,
    });
    expect(readAnswer({ prediction: null, confidence: null }, plain)).toMatchObject({ invalid: 'no_answer' });
    expect(readAnswer({ prediction: 'b', confidence: 0.5 }, free)).toMatchObject({
      invalid: 'abstained_missing',
    });
    // Said although nothing asked for it.
    expect(readAnswer({ prediction: null, abstained: true }, plain)).toMatchObject({ abstained: true });
  });

  it('is answered by a simulated model that would defer, with an option that the record has', async () => {
    const records = Array.from({ length: 60 }, (_, i) => ({
      id: `r${i}`,
      label: 'A',
      metadata: { should_abstain: true },
    }));
    const personality = { ...PERSONALITIES.careful!, deferral_recall: 1, accuracy: 0, spread: 0, invalid: 0 };
    const backend = simulatedBackend('simulated/test', personality, records, 1);
    const ask = async (asked: typeof plain) =>
      Promise.all(
        records.map(({ id }) =>
          backend.evaluate(
            { id, features: { A: 'x', B: 'y' } },
            {
              ...asked,
              choices: (features) => asked.labels.filter((label) => label in features),
            },
          ),
        ),
      );
    expect((await ask(free)).every(({ abstained }) => abstained)).toBe(true);
    const forced = await ask(plain);
    expect(forced.some(({ abstained }) => abstained)).toBe(false);
    expect(new Set(forced.map(({ prediction }) => prediction))).toEqual(new Set(['B']));
  });
});

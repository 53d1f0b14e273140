import { RunFile } from '../src/store/run-file.ts';
import { parseQuestionSuite } from '../src/suites/questions/question-suite.ts';
import { judgeOf, runInto, textBackend } from './question-run-fixture.ts';
import { came } from './viewer-fixture.ts';

/** Text of an attacker: markup, a script, a Markdown link, a terminal escape. */
export const HOSTILE =
  '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script></script> [link](javascript:window.harmed=1) \u001b[31mred\u2028"\'&amp;';

/** A run in which every text is hostile: model, suite, ids, labels, groups, reasons, features, answers, prompts, errors. */
export async function writeHostileRun(path: string, model = HOSTILE): Promise<void> {
  const file = RunFile.write(path);
  const labels = [`${HOSTILE} yes`, `${HOSTILE} no`];
  file.setManifest({
    identity: { suiteHash: 'ab'.repeat(32), repeats: 1 },
    model,
    suiteName: HOSTILE,
    task: { id: HOSTILE, labels, positiveLabel: labels[0]!, ordered: false, pack: 'detection' },
    primaryEndpoint: { metric: 'accuracy', arm: HOSTILE, why: HOSTILE },
    arm: HOSTILE,
    sensitivity: 'public',
    createdAt: HOSTILE,
    status: 'complete',
    krisisVersion: '0.1.0',
  });
  file.records.enter(
    Array.from({ length: 12 }, (_, i) => [
      i,
      {
        id: `${HOSTILE} ${i}`,
        label: labels[i % 2]!,
        metadata: {
          should_abstain: i % 3 === 0,
          should_abstain_reasons: [HOSTILE],
          ckd_stage: HOSTILE,
          sex: HOSTILE,
        },
        features: { [HOSTILE]: HOSTILE, list: [HOSTILE] },
      },
    ]),
    true,
  );
  for (let i = 0; i < 12; i++) {
    const recordId = `${HOSTILE} ${i}`;
    const call = await file.calls.begin({
      key: String(i),
      mode: 'single',
      repeat: 0,
      recordIds: [recordId],
      attempt: 0,
    });
    file.calls.end(call, { ...came('answered'), error: HOSTILE }, [
      {
        id: recordId,
        repeat: 0,
        state: i === 11 ? 'invalid' : 'answered',
        stateReason: i === 11 ? HOSTILE : null,
        // One answer is wrong in only one run, and one is not a label.
        prediction: i === 10 ? `${HOSTILE} else` : labels[i === (model === HOSTILE ? 4 : 5) ? 0 : i % 2]!,
        abstained: false,
        confidence: 0.5 + i / 24,
        confidenceSource: 'stated',
        rawResponse: HOSTILE,
        prompt: [{ role: 'user', content: HOSTILE }],
        promptMode: 'single',
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
        tokensEstimated: false,
        repaired: false,
      },
    ]);
  }
  file.seal({ scoresHash: null, krisisVersion: HOSTILE });
  file.close();
}

/** The same of open questions: question, answer, quote, instruction, names of model and judge. */
export async function writeHostileQuestions(path: string): Promise<void> {
  const question = `What is ${HOSTILE}?`;
  const instruction = `Says ${HOSTILE}`;
  await runInto(path, {
    suite: parseQuestionSuite({
      name: 'unit/hostile',
      sensitivity: 'synthetic',
      questions: [
        {
          id: 'hostile',
          question,
          should_abstain: false,
          rubric: {
            metric_traits: [{ name: 'harm', metrics: ['recall'], tp_instructions: [instruction] }],
          },
        },
      ],
    }),
    backend: textBackend(() => `Well: ${HOSTILE} indeed.`, { name: HOSTILE }),
    judge: judgeOf(
      {
        verdicts: {
          [instruction]: { verdict: 'present', quotes: ['<img src=x onerror="window.harmed=1">'] },
        },
      },
      HOSTILE,
    ),
  });
}

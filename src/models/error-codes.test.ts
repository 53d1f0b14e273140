import { expect, it } from 'vitest';
import { apiBackend } from './api/api-backend.ts';
import { optionalPackage } from './api/providers/provider.ts';
import { guidelineRule } from './baselines/rules.ts';
import { defineBackend } from './define-backend.ts';
import { modelJudge } from './judge.ts';
import { parsePersonality } from './simulated/personality.ts';

const missing = Object.assign(new Error("Cannot find package 'x'"), { code: 'ERR_MODULE_NOT_FOUND' });
const labelsOnly = defineBackend({ name: 'yes', evaluate: () => ({ prediction: 'yes', abstained: false }) });

it.each<[string, () => unknown]>([
  ['ERR_API_KEY', () => apiBackend('openai/x', { env: {} })],
  ['ERR_BASE_URL', () => apiBackend('openai-compatible/x', { env: {} })],
  ['ERR_MODEL_NOT_FOUND', () => apiBackend('nothing/x', { env: {} })],
  ['ERR_MODEL_SETTING', () => apiBackend('openai/x', { env: {}, temperature: -1 })],
  ['ERR_MODEL_SETTING', () => parsePersonality('careful?accuracy=2')],
  ['ERR_PACKAGE_MISSING', () => optionalPackage('azure/x', 'x@1', () => Promise.reject(missing))],
  ['ERR_BASELINE_NOT_APPLICABLE', () => guidelineRule({ id: 'demo/x' })],
  ['ERR_JUDGE_WITHOUT_TEXT', () => modelJudge(labelsOnly)],
])('%s', async (code, act) => {
  await expect((async () => act())()).rejects.toMatchObject({ name: 'KrisisError', code });
});

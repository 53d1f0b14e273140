import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import { optionalPackage } from './provider.ts';

const load = (loader: () => Promise<unknown>) => optionalPackage('azure/gpt', '@ai-sdk/azure@4.0.85', loader);

describe('optionalPackage', () => {
  it('says how to get a package that is missing', async () => {
    // The error is the one Node really throws.
    const missing = await import('@ai-sdk/no-such-package' as string).catch((error: Error) => error);
    const named = Object.assign(missing, {
      message: missing.message.replaceAll('@ai-sdk/no-such-package', '@ai-sdk/azure'),
    });
    const loaded = load(() => Promise.reject(named));
    await expect(loaded).rejects.toThrow(KrisisError);
    await expect(loaded).rejects.toThrow(
      'azure/gpt needs the package @ai-sdk/azure: npm install @ai-sdk/azure@4.0.85',
    );
  });

  it('leaves any other error as it is', async () => {
    const other = Object.assign(new Error("Cannot find package 'zod'"), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(load(() => Promise.reject(other))).rejects.toBe(other);
    await expect(load(() => Promise.reject(new TypeError('x')))).rejects.toThrow(TypeError);
  });

  it('gives what it loads', async () => {
    expect(await load(async () => ({ a: 1 }))).toEqual({ a: 1 });
  });
});

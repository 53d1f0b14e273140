import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askSingle, CLIENTS } from './clients.ts';
import { spawnEmulator } from './spawn.ts';

const main = resolve('test/emulator/main.ts');

describe('the emulator as a process', () => {
  it('answers, counts, forgets and ends', async () => {
    const emulator = await spawnEmulator({ record: true, abstainShare: 0 });
    const { said } = await askSingle(CLIENTS.openai!(emulator.url), 'a');
    expect(JSON.parse(said)).toHaveProperty('prediction');
    expect(await emulator.stats()).toMatchObject({ requests: 1, byStatus: { 200: 1 } });
    expect((await emulator.requests())[0]!.body).toContain('gpt-test');
    await emulator.reset();
    expect(await emulator.stats()).toMatchObject({ requests: 0 });
    await emulator.close();
    await expect(emulator.stats()).rejects.toThrow();
  });

  it('ends when its input is closed, as it is when whoever started it dies', async () => {
    const child = spawn(process.execPath, [main], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { krisis } from './krisis.ts';

const FOLDER = 'examples/scaling';
const textOf = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The options of every `krisis ops worker` in a text. */
function optionsIn(text: string): string[] {
  const joined = text.replaceAll('\\\n', ' ');
  const commands = [...joined.matchAll(/krisis ops worker(.*)/g)].map(([, rest]) => rest!);
  return commands.flatMap((rest) => [...rest.matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option!));
}

async function expectKnown(options: readonly string[]): Promise<void> {
  expect(options.length).toBeGreaterThan(0);
  const { stdout } = await krisis(['ops', 'worker', '--help']);
  const known = new Set(stdout.match(/--[a-z-]+/g));
  expect(options.filter((option) => !known.has(option))).toEqual([]);
}

describe('examples of workers', () => {
  it('have a Compose file whose Redis keeps calls and whose workers reach it', async () => {
    const { services, volumes } = parse(textOf('docker-compose.yaml'));
    const { redis, worker } = services;
    expect(redis.command).toMatch(/--appendonly yes .*--maxmemory-policy noeviction/);
    expect(redis.command).toContain('--requirepass');
    expect(redis.ports).toEqual(['127.0.0.1:6379:6379']);
    expect(Object.keys(volumes)).toContain(redis.volumes[0].split(':')[0]);
    expect(Object.keys(services)).toContain(
      new URL(worker.environment.KRISIS_QUEUE_URL.replace(/\$\{.*?\}/, 'x')).hostname,
    );
    expect(worker.environment).toHaveProperty('KRISIS_QUEUE_SECRET');
    expect(worker.depends_on.redis.condition).toBe('service_healthy');
    expect(redis.healthcheck.test).toEqual(['CMD-SHELL', expect.stringContaining('redis-cli')]);
    for (const name of ['bullmq', 'ioredis'])
      expect(worker.command).toContain(`${name}@${devDependencies[name]}`);
    await expectKnown(optionsIn(worker.command));
  });

  it('have a Compose file that a linter with the schema of Compose accepts without a warning', () => {
    const lint = (path: string) =>
      spawnSync(process.execPath, ['node_modules/dclint/bin/dclint.cjs', '--max-warnings', '0', path], {
        encoding: 'utf8',
      });
    expect(lint(`${FOLDER}/docker-compose.yaml`)).toMatchObject({ status: 0, stdout: '\n' });
    const folder = mkdtempSync(join(tmpdir(), 'krisis-compose-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const wrong = join(folder, 'docker-compose.yaml');
    writeFileSync(wrong, textOf('docker-compose.yaml').replace('    image: redis', '    imgae: redis'));
    expect(lint(wrong)).toMatchObject({ status: 1, stdout: expect.stringContaining('/services/redis') });
  });

  it('have a Kubernetes manifest that the schema of a Deployment accepts', async () => {
    const { apiVersion, kind, metadata, spec } = parse(textOf('kubernetes.yaml'));
    expect([apiVersion, kind]).toEqual(['apps/v1', 'Deployment']);
    new Deployment({ metadata, spec }).validate();
    const { selector, ...without } = spec;
    expect(() => new Deployment({ metadata, spec: without }).validate()).toThrow('selector');
    expect(metadata.name).toMatch(/^[a-z0-9-]{1,63}$/);
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const { containers, terminationGracePeriodSeconds } = spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(300);
    for (const { name, image } of containers)
      expect([name, image]).toEqual([expect.any(String), expect.stringMatching(/:[\w.]+$/)]);
    const worker = containers.find(({ name }: { name: string }) => name === 'worker');
    expect(worker.command).toEqual(['npx', 'krisis', 'worker']);
    expect(worker.env.map(({ name }: { name: string }) => name)).toEqual([
      'POD_NAME',
      'KRISIS_QUEUE_URL',
      'KRISIS_QUEUE_SECRET',
    ]);
    // No secret is in the manifest itself.
    expect(worker.env.every(({ value }: { value?: string }) => value === undefined)).toBe(true);
    await expectKnown(worker.args.map((arg: string) => arg.split('=')[0]));
  });

  it('have a systemd unit that systemd accepts', async () => {
    const unit = textOf('krisis-worker.service');
    expect(unit.match(/^\[\w+\]$/gm)).toEqual(['[Unit]', '[Service]', '[Install]']);
    expect(unit).toMatch(/^EnvironmentFile=/m);
    expect(unit).toContain('KRISIS_QUEUE_SECRET=');
    await expectKnown(optionsIn(unit));
    if (!existsSync('/usr/bin/systemd-analyze')) return;
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', `./${FOLDER}/krisis-worker.service`], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('have a Slurm script that is a valid shell script', async () => {
    const script = textOf('slurm-array.sh');
    expect(script).toMatch(/^#SBATCH --array=/m);
    expect(script).toContain('sbatch --export=ALL,KRISIS_QUEUE_URL,KRISIS_QUEUE_SECRET');
    await expectKnown(optionsIn(script.replace(/^#.*$/gm, '')));
    expect(spawnSync('bash', ['-n', `${FOLDER}/slurm-array.sh`], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  });
});

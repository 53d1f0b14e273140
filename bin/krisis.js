#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=60
// Plain JavaScript, so that an old Node can at least say what is wrong. The flags keep the garbage of a long run from taking more memory than its data.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `krisis needs Node 24 or newer; this is ${process.versions.node}.\n` +
      'Install it from https://nodejs.org, or with a version manager: nvm install 24\n',
  );
  process.exit(2);
}
const { existsSync, readFileSync } = await import('node:fs');
if (process.argv.length === 3 && /^(-V|--version)$/.test(process.argv[2])) {
  // Answered here, because loading the program takes ten times as long.
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  await start();
}

async function start() {
  // Compiled code is kept between runs: it halves the time to start.
  const { compileCacheFolder } = await import('./compile-cache.js');
  const folder = compileCacheFolder(process.env);
  if (folder !== null) (await import('node:module')).enableCompileCache?.(folder);
  // In a clone the sources run as they are; the published package has only the build.
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const { main, report } = await import(
    existsSync(source) ? source.href : new URL('../dist/js/main.js', import.meta.url).href
  );
  // An error outside every promise is reported like any other.
  process.on('uncaughtException', (error) => process.exit(report(error)));
  process.exitCode = await main(process.argv.slice(2));
}

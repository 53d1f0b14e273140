import { installed } from './install-package.ts';
import { findRedis } from './redis.ts';

/** Called before the tests: those of workers need a real Redis. Where there is none, it is installed as the browser is; anywhere else it is said loudly what is skipped. */
installed({
  what: 'Redis of the tests of workers',
  find: findRedis,
  variable: 'REDIS_SERVER',
  packages: ['redis-server', 'valkey-server'],
  skipped: [
    'NO REDIS: the tests of workers over a queue (test/queue.test.ts) ARE SKIPPED.',
    'All other tests run.',
  ],
  help: [
    'install Redis 6.2 or newer, or Valkey (Debian, Ubuntu: apt-get install redis-server;',
    'macOS: brew install redis), or set REDIS_SERVER to the program.',
  ],
});

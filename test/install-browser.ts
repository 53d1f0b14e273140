import { findChromium } from './chromium.ts';
import { installed } from './install-package.ts';

/** Called before the tests: those of the viewer drive a real browser. */
installed({
  what: "browser of the viewer's tests",
  find: findChromium,
  variable: 'CHROMIUM_PATH',
  packages: ['chromium', 'chromium-browser'],
  skipped: [
    'NO CHROMIUM: the tests of the viewer in a real browser (test/viewer-*.test.ts)',
    'ARE SKIPPED. All other tests run.',
  ],
  help: [
    'install Chromium (Debian, Ubuntu: apt-get install chromium; macOS:',
    'brew install chromium), or set CHROMIUM_PATH to a Chromium or Chrome.',
  ],
});

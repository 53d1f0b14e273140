import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { collectLicences } from '../licences.ts';

// Whatever the environment says: a development build of React is larger, slower and names paths of this machine.
process.env.NODE_ENV = 'production';

/**
 * The page must open from disk, where browsers load no modules: one classic script, deferred until the page has been parsed.
 */
function classicScript(): Plugin {
  return {
    name: 'krisis-classic-script',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace(
            /<script type="module" crossorigin src="([^"]*)"><\/script>/,
            '<script defer src="$1"></script>',
          )
          .replaceAll(' crossorigin href=', ' href='),
    },
  };
}

/** The script as small as it gets: compressing it takes a second, which no reader should wait for. */
function compressedScript(): Plugin {
  return {
    name: 'krisis-compressed-script',
    writeBundle: ({ dir }) => {
      const script = join(dir!, 'app.js');
      writeFileSync(`${script}.br`, brotliCompressSync(readFileSync(script)));
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  // A review packet inlines some of the same packages and no other.
  plugins: [classicScript(), compressedScript(), collectLicences('THIRD-PARTY-LICENSES.txt')],
  build: {
    outDir: fileURLToPath(new URL('../dist-web', import.meta.url)),
    // File names never change, and a viewer that starts during a build must find them.
    emptyOutDir: false,
    target: 'es2023',
    modulePreload: false,
    cssCodeSplit: false,
    // No inlined data: URLs beyond what the page's content security policy allows.
    assetsInlineLimit: 0,
    // One file on purpose; a test limits its compressed size.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // 'use client' is for servers that render React; this page has none.
      checks: { moduleLevelDirective: false },
      output: {
        format: 'iife',
        entryFileNames: 'app.js',
        assetFileNames: 'app.[ext]',
      },
    },
  },
});

import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/**
 * The page must open straight from disk, where browsers load no modules: one classic script, deferred so that the page stands when it runs.
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

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [classicScript()],
  build: {
    outDir: fileURLToPath(new URL('../dist-web', import.meta.url)),
    // The files have always the same names, and a viewer that starts meanwhile must find them.
    emptyOutDir: false,
    target: 'es2023',
    modulePreload: false,
    cssCodeSplit: false,
    // No inlined data: addresses beyond what the policy of the page allows.
    assetsInlineLimit: 0,
    // One file on purpose, of which a test says how large it may be compressed.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // 'use client' speaks to servers that render React; this page has none.
      checks: { moduleLevelDirective: false },
      output: {
        format: 'iife',
        entryFileNames: 'app.js',
        assetFileNames: 'app.[ext]',
      },
    },
  },
});

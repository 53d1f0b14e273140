import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

// Whatever the environment says: a development build of React is larger, slower and names paths of this machine.
process.env.NODE_ENV = 'production';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Puts script and style sheet into the page, and a policy that allows these two and nothing else: no network, no other script. */
function oneFile(): Plugin {
  return {
    name: 'krisis-one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.html'));
      const script = Object.values(bundle).find(({ type }) => type === 'chunk');
      const sheet = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.css'));
      if (page?.type !== 'asset' || script?.type !== 'chunk' || sheet?.type !== 'asset')
        throw new Error('a packet is a page, a script and a style sheet');
      // Neither may end its own element.
      const code = script.code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      const style = String(sheet.source);
      if (style.includes('</style')) throw new Error('the style sheet of a packet ends its element');
      const policy = [
        "default-src 'none'",
        `script-src '${hashOf(code)}'`,
        `style-src '${hashOf(style)}'`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      page.source = String(page.source)
        .replace(/<script type="module"[^>]*><\/script>\s*/, '')
        .replace(/<link rel="stylesheet"[^>]*>\s*/, '')
        .replace(
          '<meta name="viewport"',
          () =>
            `<meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <meta name="viewport"`,
        )
        .replace('</head>', () => `<style>${style}</style>\n  </head>`)
        .replace('</body>', () => `<script>${code}</script>\n  </body>`);
      page.fileName = 'review-packet.html';
      delete bundle[script.fileName];
      delete bundle[sheet.fileName];
    },
  };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The page of an offline review packet: one file, into which `krisis review --packet` puts a reviewer's queue. */
export default defineConfig({
  root: at('.'),
  base: './',
  plugins: [oneFile()],
  build: {
    outDir: at('../../dist-web'),
    emptyOutDir: false,
    target: 'es2023',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      // Leaves out the charts, which come through the same door as the few words that a packet uses.
      treeshake: {
        moduleSideEffects: (id) => !/[\\/]src[\\/]|observablehq|[\\/]d3-/.test(id) || id.endsWith('.css'),
      },
      output: { format: 'iife', entryFileNames: 'packet.js', assetFileNames: 'packet.[ext]' },
    },
  },
});

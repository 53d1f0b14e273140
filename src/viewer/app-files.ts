import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import { getMimeType } from 'hono/utils/mime';
import { KrisisError } from '../core/errors.ts';

interface AppFile {
  readonly type: string;
  readonly content: Buffer<ArrayBuffer>;
  /** The content compressed, which is done once for each encoding. */
  compressed(encoding: Encoding): Buffer<ArrayBuffer>;
}

/** Ways to send a file, the smallest first. Browsers take Brotli from this machine, and through HTTPS. */
const ENCODERS = {
  br: (content: Buffer) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: gzipSync,
};
type Encoding = keyof typeof ENCODERS;

/** The encoding to send a file in; null where the client takes none of ours. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  const names = (accepted ?? '').split(',').map((name) => name.trim());
  return (Object.keys(ENCODERS) as Encoding[]).find((encoding) => names.includes(encoding)) ?? null;
}

/** The files of the built page by their address. */
export type AppFiles = ReadonlyMap<string, AppFile>;

/** The page of offline review packets is built into the same folder, and is no part of the viewer. */
const PACKET_PAGE = 'review-packet.html';

/**
 * Reads all files of the built page. The server serves these and no others.
 *
 * @throws KrisisError if the page was not built.
 */
export function readAppFiles(folder: string): AppFiles {
  if (!existsSync(join(folder, 'index.html')))
    throw new KrisisError(
      `${folder}: the viewer's page is missing; in a clone, npm run build:web builds it`,
      { code: 'ERR_VIEWER_NOT_BUILT', value: folder },
    );
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    paths
      .filter(
        (path) => path !== PACKET_PAGE && !path.endsWith('.br') && statSync(join(folder, path)).isFile(),
      )
      .map((path) => {
        const type = getMimeType(path) ?? 'application/octet-stream';
        const content = Buffer.from(readFileSync(join(folder, path)));
        return [
          path.split(sep).join('/'),
          appFile(type, content, readCompressed(`${join(folder, path)}.br`, content)),
        ];
      }),
  );
}

/** What the build compressed, unless it is of another build. */
function readCompressed(path: string, content: Buffer): Buffer<ArrayBuffer> | null {
  if (!existsSync(path)) return null;
  const compressed = readFileSync(path);
  return brotliDecompressSync(compressed).equals(content) ? compressed : null;
}

export function appFile(
  type: string,
  content: Buffer<ArrayBuffer>,
  brotli: Buffer<ArrayBuffer> | null = null,
): AppFile {
  const done = new Map<Encoding, Buffer<ArrayBuffer>>(brotli === null ? [] : [['br', brotli]]);
  return {
    type,
    content,
    compressed: (encoding) => {
      const compressed = done.get(encoding) ?? ENCODERS[encoding](content);
      done.set(encoding, compressed);
      return compressed;
    },
  };
}

/**
 * Reads the page that review packets are made of.
 *
 * @throws KrisisError if it was not built.
 */
export function readPacketPage(folder: string): string {
  const path = join(folder, PACKET_PAGE);
  if (!existsSync(path))
    throw new KrisisError(
      `${path}: the page of review packets is missing; in a clone, npm run build:web builds it`,
      { code: 'ERR_VIEWER_NOT_BUILT', value: path },
    );
  return readFileSync(path, 'utf8');
}

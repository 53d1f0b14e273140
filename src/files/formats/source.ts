import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { ZipFile } from '../zip.ts';

/** What the beginning of a JSON text shows of its first object: the values at paths such as `eval.task`, and `{` or `[` for what holds others. */
type Shape = ReadonlyMap<string, unknown>;

/** A file or folder, as far as it has to be looked at to see what it is. */
export interface Source {
  readonly path: string;
  readonly kind: 'text' | 'zip' | 'folder';
  /** The keys of the first object of a text. Empty for anything else. */
  readonly shape: Shape;
  /** The names of the members of an archive, or of the files of a folder. */
  readonly names: readonly string[];
}

/** The state of a run of HELM, in its folder. */
export const HELM_STATE = 'scenario_state.json';
/** The first member in an archive of Inspect. */
export const INSPECT_START = '_journal/start.json';
/** A sample in an archive of Inspect. */
export const INSPECT_SAMPLE = /^samples\/.+\.json$/;

const HEAD_BYTES = 1 << 20;

/** Looks at a file or folder; null where it is neither, or cannot be read. */
export function lookAt(path: string): Source | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !(stats.isFile() || stats.isDirectory())) return null;
  let head: string;
  try {
    if (stats.isDirectory()) return { path, kind: 'folder', shape: new Map(), names: readdirSync(path) };
    head = readHead(path);
  } catch {
    // Who opens the file next says why it cannot be read.
    return null;
  }
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) {
    return { path, kind: 'zip', shape: new Map(), names: listMembers(path, head) };
  }
  const text = Buffer.from(head, 'latin1')
    .toString('utf8')
    .replace(/^\ufeff/, '');
  return { path, kind: 'text', shape: (/^\s*\{/.test(text) && readShape(text)) || new Map(), names: [] };
}

/** The names in an archive. One that cannot be read is only of interest if it looks like that of a tool: spreadsheets are archives too. */
function listMembers(path: string, head: string): readonly string[] {
  try {
    const zip = new ZipFile(path);
    zip.close();
    return zip.members.map(({ name }) => name);
  } catch (error) {
    if (/_journal\/|header\.json|samples\//.test(head)) throw error;
    return [];
  }
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Deeper keys do not tell formats apart. */
const MAX_SHAPE_DEPTH = 3;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** Reads the shape of a JSON text from its beginning, which may end anywhere. Null where it does not begin with an object or a list of them. */
function readShape(head: string): Shape | null {
  const shape = new Map<string, unknown>();
  const open: { key: string | null; readonly path: readonly string[]; readonly isList: boolean }[] = [];
  let isKey = false;
  for (const [token] of head.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (inner === undefined && token !== '{' && token !== '[') return null;
    const path = inner === undefined ? [] : [...inner.path, inner.isList ? '*' : (inner.key ?? '')];
    const note = (value: unknown) => {
      if (path.length <= MAX_SHAPE_DEPTH && !shape.has(path.join('.'))) shape.set(path.join('.'), value);
    };
    if (token === '{' || token === '[') {
      note(token);
      open.push({ key: null, path, isList: token === '[' });
      isKey = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      if (open.length === 0) break;
    } else if (token === ',') isKey = !inner!.isList;
    else if (token === ':') isKey = false;
    else if (isKey) inner!.key = parsed(token) as string;
    else note(parsed(token));
  }
  return shape.size === 0 ? null : shape;
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(token);
  } catch {
    return token;
  }
}

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { KrisisError, whyUnreadable } from '../core/errors.ts';
import { shown } from '../core/plain-text.ts';

/** A file inside a ZIP archive. */
export interface ZipMember {
  readonly name: string;
  /** In bytes, when unpacked. */
  readonly size: number;
}

interface Entry extends ZipMember {
  readonly method: number;
  readonly packedSize: number;
  readonly offset: number;
  readonly crc: number;
  readonly isEncrypted: boolean;
}

const STORED = 0;
const DEFLATE = 8;
const ZSTD = 93;
/** A member is unpacked in memory. */
const MAX_MEMBER_BYTES = 256 * 2 ** 20;
const MAX_UNPACKED_BYTES = 64 * 2 ** 30;
const MAX_MEMBERS = 1_000_000;
const MAX_DIRECTORY_BYTES = 256 * 2 ** 20;
/** Logs shrink to a tenth or a fiftieth; what shrinks more than this was made to fill the memory. */
const MAX_RATIO = 1000;
const SMALL_BYTES = 2 ** 20;

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const UNKNOWN_32 = 0xffffffff;

/**
 * A ZIP archive, read by its directory. Members are stored, or packed with deflate or zstd, and are unpacked one at a time, never to more than the size that the directory states.
 * Nothing is written to disk.
 */
export class ZipFile {
  readonly path: string;
  readonly members: readonly ZipMember[];
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #fd: number;
  readonly #size: number;

  /** @throws KrisisError with the code `ERR_ROW_FILE` for a file that is no archive, or one that must not be unpacked. */
  constructor(path: string) {
    this.path = path;
    try {
      this.#fd = openSync(path, 'r');
    } catch (cause) {
      throw new KrisisError(`${path}: ${whyUnreadable(cause)}`, { code: 'ERR_ROW_FILE', value: path, cause });
    }
    try {
      this.#size = fstatSync(this.#fd).size;
      const entries = this.#readDirectory();
      this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
      this.members = entries;
      this.#checkEntries(entries);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** The unpacked content of a member. */
  read(name: string): Buffer {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw this.#error(name, 'is missing');
    const header = this.#bytes(entry.offset, 30);
    if (header.readUInt32LE(0) !== LOCAL) throw this.#error(name, 'is not where the directory says');
    const nameBytes = Buffer.byteLength(name);
    if (
      header.readUInt16LE(26) !== nameBytes ||
      this.#bytes(entry.offset + 30, nameBytes).toString('utf8') !== name
    )
      throw this.#error(name, 'has another name than the directory says');
    const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = this.#bytes(start, entry.packedSize);
    const content = this.#unpack(entry, packed);
    if (content.length !== entry.size)
      throw this.#error(name, `has ${content.length} bytes; its directory says ${entry.size}`);
    if (crc32(content) !== entry.crc) throw this.#error(name, 'is damaged: its checksum is another');
    return content;
  }

  #unpack({ name, method, size }: Entry, packed: Buffer): Buffer {
    const limit = { maxOutputLength: Math.max(1, size) };
    try {
      if (method === STORED) return packed;
      return method === DEFLATE ? inflateRawSync(packed, limit) : zstdDecompressSync(packed, limit);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ERR_BUFFER_TOO_LARGE')
        throw this.#error(name, `unpacks to more than the ${size} bytes that the directory states`);
      throw this.#error(name, `cannot be unpacked: ${(cause as Error).message}`);
    }
  }

  #readDirectory(): Entry[] {
    const { n, offset, size } = this.#findEnd();
    if (n > MAX_MEMBERS || size > MAX_DIRECTORY_BYTES)
      throw this.#error(null, `has ${n} members; at most ${MAX_MEMBERS} are read`);
    const directory = this.#bytes(offset, size);
    const entries: Entry[] = [];
    let at = 0;
    for (let i = 0; i < n; i++) {
      if (at + 46 > size || directory.readUInt32LE(at) !== DIRECTORY)
        throw this.#error(null, `the directory ends after ${i} of ${n} members`);
      const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) =>
        directory.readUInt16LE(at + place),
      ) as [number, number, number];
      const end = at + 46 + nameBytes + extraBytes;
      if (end > size) throw this.#error(null, `the directory ends after ${i} of ${n} members`);
      const name = directory.toString('utf8', at + 46, at + 46 + nameBytes);
      const flags = directory.readUInt16LE(at + 8);
      entries.push({
        name,
        method: directory.readUInt16LE(at + 10),
        crc: directory.readUInt32LE(at + 16),
        isEncrypted: (flags & 0x41) !== 0,
        ...readSizes(directory, at, directory.subarray(at + 46 + nameBytes, end)),
      });
      at = end + commentBytes;
    }
    return entries;
  }

  /** The record at the end of the archive, which says where its directory is. */
  #findEnd(): { readonly n: number; readonly offset: number; readonly size: number } {
    const tailBytes = Math.min(this.#size, END_BYTES + 0xffff);
    const tail = this.#bytes(this.#size - tailBytes, tailBytes);
    let at = tail.length - END_BYTES;
    while (at >= 0 && tail.readUInt32LE(at) !== END) at -= 1;
    if (at < 0)
      throw this.#error(null, 'the end of the ZIP archive is missing: the file is cut off, or damaged');
    const end = {
      n: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    };
    if (end.offset !== UNKNOWN_32 && end.n !== 0xffff && end.size !== UNKNOWN_32) return end;
    if (at < 20 || tail.readUInt32LE(at - 20) !== LOCATOR_64) return end;
    const record = this.#bytes(Number(tail.readBigUInt64LE(at - 12)), 56);
    if (record.readUInt32LE(0) !== END_64)
      throw this.#error(null, 'the directory is not where the archive says');
    return {
      n: Number(record.readBigUInt64LE(32)),
      size: Number(record.readBigUInt64LE(40)),
      offset: Number(record.readBigUInt64LE(48)),
    };
  }

  #checkEntries(entries: readonly Entry[]): void {
    if (this.#entries.size !== entries.length) {
      const twice = entries.find(({ name }, i) => entries.findIndex((other) => other.name === name) !== i)!;
      throw this.#error(twice.name, 'is there twice');
    }
    let [packed, unpacked] = [0, 0];
    for (const entry of entries) {
      const { name, method, size, packedSize } = entry;
      packed += packedSize;
      unpacked += size;
      if (name.startsWith('/') || /^[a-z]:/i.test(name)) throw this.#error(name, 'has an absolute name');
      if (name.split(/[\\/]/).includes('..') || name.includes('\\') || name.includes('\0'))
        throw this.#error(name, 'has a name that leads out of the archive');
      if (entry.isEncrypted) throw this.#error(name, 'is encrypted');
      if (![STORED, DEFLATE, ZSTD].includes(method))
        throw this.#error(
          name,
          `has the compression method ${method}; expected stored, deflate (8) or zstd (93)`,
        );
      if (size > MAX_MEMBER_BYTES)
        throw this.#error(
          name,
          `unpacks to ${mebibytes(size)}; at most ${mebibytes(MAX_MEMBER_BYTES)} are read`,
        );
      if (size > SMALL_BYTES && size > MAX_RATIO * packedSize)
        throw this.#error(name, `unpacks to ${mebibytes(size)} from ${packedSize} bytes: that is a ZIP bomb`);
      if (method === STORED && size !== packedSize) throw this.#error(name, 'is stored with two sizes');
    }
    // Members that overlap would unpack the same bytes again and again.
    if (packed > this.#size) throw this.#error(null, 'its members overlap: that is a ZIP bomb');
    if (unpacked > MAX_UNPACKED_BYTES) throw this.#error(null, `unpacks to ${mebibytes(unpacked)}`);
  }

  #bytes(offset: number, length: number): Buffer {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.#size))
      throw this.#error(null, 'is cut off, or damaged: it points beyond its end');
    const bytes = Buffer.allocUnsafe(length);
    let read = 0;
    while (read < length) {
      const n = readSync(this.#fd, bytes, read, length - read, offset + read);
      if (n === 0) throw this.#error(null, 'is cut off');
      read += n;
    }
    return bytes;
  }

  #error(member: string | null, problem: string): KrisisError {
    return new KrisisError(`${this.path}: ${member === null ? '' : `member ${shown(member)} `}${problem}`, {
      code: 'ERR_ROW_FILE',
      value: member ?? this.path,
    });
  }
}

/** Sizes and place of a member; those that need 64 bits are in an extra field, in this order. */
function readSizes(
  directory: Buffer,
  at: number,
  extra: Buffer,
): Pick<Entry, 'size' | 'packedSize' | 'offset'> {
  const [packedSize, size, offset] = [20, 24, 42].map((place) => directory.readUInt32LE(at + place)) as [
    number,
    number,
    number,
  ];
  const wide = findField(extra, 1);
  let next = 0;
  const widened = (value: number) => {
    if (value !== UNKNOWN_32 || wide === null || next + 8 > wide.length) return value;
    next += 8;
    return Number(wide.readBigUInt64LE(next - 8));
  };
  return { size: widened(size), packedSize: widened(packedSize), offset: widened(offset) };
}

function findField(extra: Buffer, id: number): Buffer | null {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  return null;
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}

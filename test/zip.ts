import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';

/** How the members of an archive are made; each key makes it another way than it should be. */
export interface ZipOptions {
  /** 0 stored, 8 deflate, 93 zstd; any other number is written as it is. Default: 8. */
  readonly method?: number;
  readonly flags?: number;
  /** The size that is stated. Default: the true one. */
  readonly size?: number;
  readonly crc?: number;
}

/** A ZIP archive with these members. */
export function zip(
  members: readonly (readonly [name: string, content: string | Buffer, options?: ZipOptions])[],
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text, { method = 8, flags = 0, size, crc } = {}] of members) {
    const content = Buffer.from(text);
    const packed =
      method === 8 ? deflateRawSync(content) : method === 93 ? zstdCompressSync(content) : content;
    const label = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(flags, 2);
    about.writeUInt16LE(method, 4);
    about.writeUInt32LE(crc ?? crc32(content), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(size ?? content.length, 18);
    about.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, label, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, rest, label]));
    parts.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

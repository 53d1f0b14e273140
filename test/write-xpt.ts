/** Writes numbers as a SAS transport file, version 5: the counterpart of the reader, for tests. Null is written as a missing value. */
export function writeXpt(columns: readonly string[], rows: readonly (readonly (number | null)[])[]): Buffer {
  const header = (what: string, rest: string) =>
    Buffer.from(`HEADER RECORD*******${what} HEADER RECORD!!!!!!!${rest}`.padEnd(80), 'latin1');
  const zeros = '0'.repeat(30);
  const line = Buffer.alloc(80, ' ');
  const names = columns.map((name, i) => {
    const namestr = Buffer.alloc(140, ' ');
    namestr.fill(0, 0, 8);
    namestr.writeInt16BE(1, 0);
    namestr.writeInt16BE(8, 4);
    namestr.writeInt16BE(i + 1, 6);
    namestr.write(name.padEnd(8), 8, 'latin1');
    namestr.writeInt32BE(i * 8, 84);
    return namestr;
  });
  return Buffer.concat([
    header('LIBRARY', zeros),
    line,
    line,
    header('MEMBER ', '000000000000000001600000000140'),
    header('DSCRPTR', zeros),
    line,
    line,
    header('NAMESTR', `000000${String(columns.length).padStart(4, '0')}${'0'.repeat(20)}`),
    padded(Buffer.concat(names)),
    header('OBS    ', zeros),
    padded(Buffer.concat(rows.flat().map(ibm))),
  ]);
}

function padded(bytes: Buffer): Buffer {
  const rest = (80 - (bytes.length % 80)) % 80;
  return Buffer.concat([bytes, Buffer.alloc(rest, ' ')]);
}

function ibm(value: number | null): Buffer {
  const bytes = Buffer.alloc(8);
  if (value === null) bytes[0] = '.'.charCodeAt(0);
  if (value === null || value === 0) return bytes;
  let exponent = 64;
  let fraction = Math.abs(value);
  while (fraction >= 1) {
    fraction /= 16;
    exponent += 1;
  }
  while (fraction < 1 / 16) {
    fraction *= 16;
    exponent -= 1;
  }
  bytes[0] = exponent + (value < 0 ? 128 : 0);
  for (let i = 1; i < 8; i++) {
    fraction *= 256;
    bytes[i] = Math.floor(fraction);
    fraction -= bytes[i]!;
  }
  return bytes;
}

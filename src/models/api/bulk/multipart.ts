import { randomUUID } from 'node:crypto';

/** A form with one file at its end: some servers read the fields before they accept the file. */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: { readonly name: string; readonly content: string },
): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> } {
  const boundary = `krisis-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: application/jsonl\r\n\r\n`;
  return {
    body: Buffer.concat([
      Buffer.from(parts.join('')),
      Buffer.from(head),
      Buffer.from(file.content),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

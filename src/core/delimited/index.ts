export { type Chunks, decodeText, encodingOf, type FileEncoding } from './decode-text.ts';
export { type Delimiter, delimiterOf } from './delimiter.ts';
export { type FieldsReader, type FieldsRow, readFields } from './read-fields.ts';

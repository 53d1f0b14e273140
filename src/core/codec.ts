import { z } from 'zod';
import { isObject } from './collections.ts';

/** A number of things. */
export const count = z.int().min(0);

/** What a schema describes in code, read-only at every depth. */
export type Shape<S extends z.ZodType> = DeepReadonly<z.output<S>>;

type DeepReadonly<T> = T extends readonly unknown[] | object
  ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T;

/** The same in files and JSON: object keys in snake_case, keys of records unchanged. */
export type FileShape<S> =
  S extends z.ZodObject<infer Fields>
    ? {
        readonly [Key in Exclude<keyof Fields & string, OptionalKeys<Fields>> as FileKey<
          Key,
          Fields[Key]
        >]: FileShape<Fields[Key]>;
      } & { readonly [Key in OptionalKeys<Fields> as FileKey<Key, Fields[Key]>]?: FileShape<Fields[Key]> }
    : S extends z.ZodArray<infer Entry>
      ? readonly FileShape<Entry>[]
      : S extends z.ZodTuple<infer Entries>
        ? { readonly [Index in keyof Entries]: FileShape<Entries[Index]> }
        : S extends z.ZodRecord<infer Key, infer Value>
          ? Readonly<Record<z.output<Key> & PropertyKey, FileShape<Value>>>
          : S extends z.ZodUnion<infer Options>
            ? FileShape<Options[number]>
            : S extends z.ZodNullable<infer Inner> | z.ZodOptional<infer Inner>
              ? FileShape<Inner> | Extract<z.output<S>, null | undefined>
              : S extends
                    | z.ZodReadonly<infer Inner>
                    | z.ZodDefault<infer Inner>
                    | z.ZodCatch<infer Inner>
                    | z.ZodLazy<infer Inner>
                ? FileShape<Inner>
                : S extends z.ZodType
                  ? Shape<S>
                  : never;

type OptionalKeys<Fields> = {
  [Key in keyof Fields & string]: Fields[Key] extends z.ZodOptional ? Key : never;
}[keyof Fields & string];
type FileKey<Key extends string, Field> = Field extends { readonly fileKey: infer Name extends string }
  ? Name
  : SnakeCase<Key>;

/** States the file key of a field that the snake_case rule would spell wrong: `errors_per_100` for `errorsPer100`. */
export function fileKey<Name extends string, S extends z.ZodType>(name: Name, schema: S) {
  return Object.assign(schema.clone(), { fileKey: name });
}

/**
 * Converts between a value in code (camelCase) and its form in files and JSON (snake_case). Only
 * keys of objects are converted: keys of records are data. Both directions are checked.
 */
export function fileCodec<S extends z.ZodType>(schema: S) {
  const { form, decode, encode } = formatFor(schema);
  return z.codec(form as z.ZodType<FileShape<S>>, schema as z.ZodType<z.output<S>>, {
    decode: (value) => apply(decode, value) as z.output<S>,
    encode: (value) => apply(encode, value) as FileShape<S>,
  });
}

/** Checks a value of a file and returns it as code spells it. Checked once, in the form of code. */
export function fromFile<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  return schema.parse(apply(formatFor(schema).decode, value));
}

/** A value as files and JSON spell it, without what its schema does not name. Not checked again. */
export function toFile<S extends z.ZodType>(schema: S, value: Shape<S>): FileShape<S> {
  return apply(formatFor(schema).encode, value) as FileShape<S>;
}

/**
 * The schema of the file form. Refinements of objects are left out, because they read values as
 * code spells them.
 */
export function fileForm<S extends z.ZodType>(schema: S): z.ZodType<FileShape<S>> {
  return formatFor(schema).form as z.ZodType<FileShape<S>>;
}

/** The file form of a schema; a converter is null where values are the same in both forms. */
interface Format {
  readonly form: z.ZodType;
  readonly encode: ((value: unknown) => unknown) | null;
  readonly decode: Format['encode'];
}

const formats = new WeakMap<z.core.$ZodType, Format>();

function formatFor(schema: z.core.$ZodType): Format {
  let format = formats.get(schema);
  if (format === undefined) {
    // A schema that contains itself meets this one while it is being made.
    const later = () => formats.get(schema)!;
    formats.set(schema, {
      form: z.lazy(() => later().form),
      encode: (value) => apply(later().encode, value),
      decode: (value) => apply(later().decode, value),
    });
    format = makeFormat(schema as z.ZodType);
    formats.set(schema, format);
  }
  return format;
}

function apply(convert: Format['encode'], value: unknown): unknown {
  return convert === null || value === null || value === undefined ? value : convert(value);
}

function makeFormat(schema: z.ZodType): Format {
  if (schema instanceof z.ZodObject) return objectFormat(schema);
  if (schema instanceof z.ZodUnion) return unionFormat(schema);
  if (schema instanceof z.ZodArray) {
    const entry = formatFor(schema.element);
    const each = (convert: Format['encode']) =>
      convert &&
      ((value: unknown) => (Array.isArray(value) ? value.map((own) => apply(convert, own)) : value));
    return changed(schema, { element: entry.form }, each(entry.encode), each(entry.decode));
  }
  if (schema instanceof z.ZodTuple) {
    const items = schema.def.items.map(formatFor);
    const each = (direction: 'encode' | 'decode') => (value: unknown) =>
      Array.isArray(value) ? value.map((own, i) => apply(items[i]?.[direction] ?? null, own)) : value;
    return changed(schema, { items: items.map(({ form }) => form) }, each('encode'), each('decode'));
  }
  if (schema instanceof z.ZodRecord) {
    const entry = formatFor(schema.valueType);
    const each = (convert: Format['encode']) =>
      convert &&
      ((value: unknown) =>
        isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([key, own]) => [key, apply(convert, own)]))
          : value);
    return changed(schema, { valueType: entry.form }, each(entry.encode), each(entry.decode));
  }
  if (schema instanceof z.ZodLazy) return formatFor(schema.unwrap());
  return wrapperFormat(schema);
}

/** Nullable, optional, readonly, default and catch; everything else is a leaf. */
function wrapperFormat(schema: z.ZodType): Format {
  const { innerType, defaultValue, catchValue } = schema.def as z.core.$ZodTypeDef & {
    readonly innerType?: z.core.$ZodType;
    readonly defaultValue?: unknown;
    readonly catchValue?: (context: z.core.$ZodCatchCtx) => unknown;
  };
  if (innerType === undefined) return { form: schema, encode: null, decode: null };
  const { form, encode, decode } = formatFor(innerType);
  const changes = {
    innerType: form,
    ...(defaultValue !== undefined && { defaultValue: apply(encode, defaultValue) }),
    ...(catchValue && {
      catchValue: (context: z.core.$ZodCatchCtx) => apply(encode, catchValue(context)),
    }),
  };
  return changed(schema, changes, encode, decode);
}

function objectFormat(schema: z.ZodObject): Format {
  const fields = Object.entries(schema.shape).map(([key, field]) => ({
    key,
    name: (field as { readonly fileKey?: string }).fileKey ?? snakeCase(key),
    format: formatFor(field),
  }));
  const { catchall } = schema.def;
  const isOpen = catchall !== undefined && !(catchall instanceof z.ZodNever);
  const converter = (direction: 'encode' | 'decode') => {
    const [from, to] = direction === 'encode' ? (['key', 'name'] as const) : (['name', 'key'] as const);
    const named = new Set(fields.map((field) => field[from]));
    return (object: unknown) => {
      // Left to the check of the schema.
      if (!isObject(object)) return object;
      const result: Record<string, unknown> = {};
      for (const field of fields) {
        const own = object[field[from]];
        if (own !== undefined) result[field[to]] = apply(field.format[direction], own);
      }
      // Keys that the schema does not name are data.
      if (isOpen) for (const key of Object.keys(object)) if (!named.has(key)) result[key] = object[key];
      return result;
    };
  };
  const shape = Object.fromEntries(fields.map(({ name, format }) => [name, format.form]));
  return changed(schema, { shape, checks: [] }, converter('encode'), converter('decode'));
}

function unionFormat(schema: z.ZodUnion): Format {
  const formats = schema.options.map((option) => ({ option: option as z.ZodType, ...formatFor(option) }));
  const converter = (direction: 'encode' | 'decode') =>
    formats.every(({ encode }) => encode === null)
      ? null
      : (value: unknown) => {
          const fits = formats.find(
            ({ option, form }) => (direction === 'encode' ? option : form).safeParse(value).success,
          );
          return fits === undefined ? value : apply(fits[direction], value);
        };
  const changes = {
    options: formats.map(({ form }) => form),
    ...(schema instanceof z.ZodDiscriminatedUnion && {
      discriminator: snakeCase(schema.def.discriminator),
    }),
  };
  return changed(schema, changes, converter('encode'), converter('decode'));
}

function changed(
  schema: z.ZodType,
  changes: object,
  encode: Format['encode'],
  decode: Format['decode'],
): Format {
  const form = z.core.clone(schema, { ...schema.def, ...changes } as typeof schema.def);
  const { id: _, ...meta } = schema.meta() ?? {};
  return { form: Object.keys(meta).length === 0 ? form : form.meta(meta), encode, decode };
}

/**
 * A camelCase name as files spell it.
 *
 * @example
 * ```ts
 * snakeCase('nRecords') // => 'n_records'
 * ```
 */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The same for types. */
type SnakeCase<Key extends string> = Key extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Key;

/** An object in its file form: the same values under snake_case names. */
export function snakeKeys<T extends object>(object: T) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [snakeCase(key), value])) as {
    readonly [Key in keyof T & string as SnakeCase<Key>]: T[Key];
  };
}

type CamelCase<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

/** A name of a file as code spells it: `n_records` is `nRecords`. */
export function camelCase(key: string): string {
  return key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** An object of a file as code spells it: the same values under camelCase names. */
export function camelKeys<T extends object>(object: T) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [camelCase(key), value])) as {
    readonly [Key in keyof T & string as CamelCase<Key>]: T[Key];
  };
}

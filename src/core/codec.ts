import { z } from 'zod';
import { type SnakeCase, snakeCase } from './snake-case.ts';

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
        readonly [Key in RequiredKeys<Fields> as FileKey<Key, Fields[Key]>]: FileShape<Fields[Key]>;
      } & {
        readonly [Key in OptionalKeys<Fields> as FileKey<Key, Fields[Key]>]?: FileShape<Fields[Key]>;
      }
    : S extends z.ZodArray<infer Entry>
      ? readonly FileShape<Entry>[]
      : S extends z.ZodTuple<infer Entries>
        ? { readonly [Index in keyof Entries]: FileShape<Entries[Index]> }
        : S extends z.ZodRecord<infer Key, infer Value>
          ? Readonly<Record<z.output<Key> & PropertyKey, FileShape<Value>>>
          : S extends z.ZodUnion<infer Options>
            ? FileShape<Options[number]>
            : S extends z.ZodNullable<infer Inner>
              ? FileShape<Inner> | null
              : S extends z.ZodOptional<infer Inner>
                ? FileShape<Inner> | undefined
                : S extends z.ZodReadonly<infer Inner> | z.ZodDefault<infer Inner> | z.ZodCatch<infer Inner>
                  ? FileShape<Inner>
                  : S extends z.ZodLazy<infer Inner>
                    ? FileShape<Inner>
                    : S extends z.ZodType
                      ? Shape<S>
                      : never;

type OptionalKeys<Fields> = {
  [Key in keyof Fields & string]: Fields[Key] extends z.ZodOptional ? Key : never;
}[keyof Fields & string];
type RequiredKeys<Fields> = Exclude<keyof Fields & string, OptionalKeys<Fields>>;
type FileKey<Key extends string, Field> = Field extends Renamed<infer Name> ? Name : SnakeCase<Key>;

declare const FILE_KEY: unique symbol;
interface Renamed<Name extends string> {
  readonly [FILE_KEY]: Name;
}

/** Apart from the global registry, whose entries appear in JSON Schemas. */
const fileKeys = z.registry<{ readonly fileKey: string }, z.ZodType>();

/**
 * States the file key of a field that the snake_case rule would spell wrong.
 *
 * @example
 * ```ts
 * const schema = z.object({ errorsPer100: fileKey('errors_per_100', z.number()) });
 * toFile(schema, { errorsPer100: 2 }) // => { errors_per_100: 2 }
 * ```
 */
export function fileKey<Name extends string, S extends z.ZodType>(name: Name, schema: S) {
  const renamed = schema.clone();
  fileKeys.add(renamed, { fileKey: name });
  return renamed as S & Renamed<Name>;
}

/**
 * Converts between a value in code (camelCase) and its form in files and JSON (snake_case). Only
 * keys of objects are converted: keys of records are data. Both directions are checked.
 */
export function fileCodec<S extends z.ZodType>(schema: S) {
  return z.codec(fileForm(schema), schema as z.ZodType<z.output<S>>, {
    decode: (value) => convert(schema, 'decode', value) as z.output<S>,
    encode: (value) => convert(schema, 'encode', value) as FileShape<S>,
  });
}

/** Checks a value of a file and returns it as code spells it. Checked once, in the form of code. */
export function fromFile<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  return schema.parse(convert(schema, 'decode', value));
}

/** A value as files and JSON spell it, without what its schema does not name. Not checked again. */
export function toFile<S extends z.ZodType>(schema: S, value: Shape<S>): FileShape<S> {
  return convert(schema, 'encode', value) as FileShape<S>;
}

const forms = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * The schema of the file form. Refinements of objects are left out, because they read values as
 * code spells them.
 *
 * @example
 * ```ts
 * const schema = z.object({ nRows: z.int(), byName: z.record(z.string(), z.number()) });
 * fileForm(schema).parse({ n_rows: 1, by_name: { eGFR: 60 } }) // => { n_rows: 1, by_name: { eGFR: 60 } }
 * ```
 */
export function fileForm<S extends z.ZodType>(schema: S): z.ZodType<FileShape<S>> {
  return formFor(schema) as z.ZodType<FileShape<S>>;
}

function formFor(schema: z.core.$ZodType): z.ZodType {
  let form = forms.get(schema);
  if (form === undefined) {
    // A schema that contains itself meets this while it is being converted.
    forms.set(
      schema,
      z.lazy(() => forms.get(schema)!),
    );
    const changes = formChanges(schema as z.ZodType);
    form = changes === null ? (schema as z.ZodType) : withChanges(schema as z.ZodType, changes);
    forms.set(schema, form);
  }
  return form;
}

/** The parts of a schema's definition that differ in the file form; null for a leaf. */
function formChanges(schema: z.ZodType): object | null {
  if (schema instanceof z.ZodObject)
    return { shape: Object.fromEntries(fieldsOf(schema).map(({ name, field }) => [name, formFor(field)])) };
  if (schema instanceof z.ZodArray) return { element: formFor(schema.element) };
  if (schema instanceof z.ZodTuple) {
    const { items, rest } = schema.def;
    return { items: items.map(formFor), rest: rest && formFor(rest) };
  }
  if (schema instanceof z.ZodRecord) return { valueType: formFor(schema.valueType) };
  if (schema instanceof z.ZodDiscriminatedUnion)
    return { options: schema.options.map(formFor), discriminator: snakeCase(schema.def.discriminator) };
  if (schema instanceof z.ZodUnion) return { options: schema.options.map(formFor) };
  if (schema instanceof z.ZodLazy) return { getter: () => formFor(schema.unwrap()) };
  if (!isWrapper(schema)) return null;
  const { innerType } = schema.def;
  const changes = { innerType: formFor(innerType) };
  if (schema instanceof z.ZodDefault)
    return { ...changes, defaultValue: convert(innerType, 'encode', schema.def.defaultValue) };
  if (schema instanceof z.ZodCatch) {
    const { catchValue } = schema.def;
    return {
      ...changes,
      catchValue: (context: z.core.$ZodCatchCtx) => convert(innerType, 'encode', catchValue(context)),
    };
  }
  return changes;
}

function withChanges(schema: z.ZodType, changes: object): z.ZodType {
  const checks = schema instanceof z.ZodObject ? [] : schema.def.checks;
  const form = z.core.clone(schema, { ...schema.def, checks, ...changes } as typeof schema.def);
  const { id: _, ...meta } = schema.meta() ?? {};
  return Object.keys(meta).length === 0 ? form : form.meta(meta);
}

function fieldsOf({ shape }: z.ZodObject) {
  return Object.entries(shape).map(([key, field]) => ({
    key,
    name: fileKeys.get(field)?.fileKey ?? snakeCase(key),
    field,
  }));
}

type Wrapper =
  | z.ZodNullable<z.ZodType>
  | z.ZodOptional<z.ZodType>
  | z.ZodReadonly<z.ZodType>
  | z.ZodDefault<z.ZodType>
  | z.ZodCatch<z.ZodType>;

function isWrapper(schema: z.ZodType): schema is Wrapper {
  return [z.ZodNullable, z.ZodOptional, z.ZodReadonly, z.ZodDefault, z.ZodCatch].some(
    (type) => schema instanceof type,
  );
}

type Direction = 'encode' | 'decode';
type Converter = (value: unknown) => unknown;

/** Null where the value of a schema is the same in both forms. */
const converters: Readonly<Record<Direction, WeakMap<z.core.$ZodType, Converter | null>>> = {
  encode: new WeakMap(),
  decode: new WeakMap(),
};

function convert(schema: z.core.$ZodType, direction: Direction, value: unknown): unknown {
  return apply(converterFor(schema, direction), value);
}

function apply(converter: Converter | null, value: unknown): unknown {
  return converter === null || value === null || value === undefined ? value : converter(value);
}

function converterFor(schema: z.core.$ZodType, direction: Direction): Converter | null {
  const cache = converters[direction];
  let converter = cache.get(schema);
  if (converter === undefined) {
    // As for the forms: a schema may contain itself.
    cache.set(schema, (value) => apply(cache.get(schema)!, value));
    converter = makeConverter(schema as z.ZodType, direction);
    cache.set(schema, converter);
  }
  return converter;
}

function makeConverter(schema: z.ZodType, direction: Direction): Converter | null {
  if (schema instanceof z.ZodObject) return objectConverter(schema, direction);
  if (schema instanceof z.ZodArray) {
    const entry = converterFor(schema.element, direction);
    return entry && ((value) => (Array.isArray(value) ? value.map((own) => apply(entry, own)) : value));
  }
  if (schema instanceof z.ZodTuple) {
    const { items, rest } = schema.def;
    const own = items.map((item) => converterFor(item, direction));
    const others = rest && converterFor(rest, direction);
    return (value) =>
      Array.isArray(value) ? value.map((entry, i) => apply(i < own.length ? own[i]! : others, entry)) : value;
  }
  if (schema instanceof z.ZodRecord) {
    const own = converterFor(schema.valueType, direction);
    return (
      own &&
      ((value) =>
        isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([key, v]) => [key, apply(own, v)]))
          : value)
    );
  }
  if (schema instanceof z.ZodUnion) return unionConverter(schema, direction);
  if (schema instanceof z.ZodLazy) return (value) => convert(schema.unwrap(), direction, value);
  return isWrapper(schema) ? converterFor(schema.def.innerType, direction) : null;
}

function objectConverter(schema: z.ZodObject, direction: Direction): Converter {
  const fields = fieldsOf(schema).map(({ key, name, field }) => {
    const converter = converterFor(field, direction);
    return direction === 'encode' ? { from: key, to: name, converter } : { from: name, to: key, converter };
  });
  const { catchall } = schema.def;
  const isOpen = catchall !== undefined && !(catchall instanceof z.ZodNever);
  const named = new Set(fields.map(({ from }) => from));
  return (object) => {
    // Left to the check of the schema.
    if (!isObject(object)) return object;
    const result: Record<string, unknown> = {};
    for (const { from, to, converter } of fields) {
      const own = object[from];
      if (own !== undefined) result[to] = apply(converter, own);
    }
    // Keys that the schema does not name are data.
    if (isOpen) for (const key of Object.keys(object)) if (!named.has(key)) result[key] = object[key];
    return result;
  };
}

function unionConverter({ options }: z.ZodUnion, direction: Direction): Converter | null {
  const choices = options.map((option) => ({
    schema: direction === 'encode' ? (option as z.ZodType) : formFor(option),
    converter: converterFor(option, direction),
  }));
  if (choices.every(({ converter }) => converter === null)) return null;
  return (value) => {
    const choice = choices.find(({ schema }) => schema.safeParse(value).success);
    return choice === undefined ? value : apply(choice.converter, value);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

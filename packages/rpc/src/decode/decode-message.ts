import { create, fromBinary, ScalarType } from "@bufbuild/protobuf";
import type { DescField, DescMessage, MessageShape } from "@bufbuild/protobuf";
import { ByteReader, wireTypes } from "./byte-reader.ts";

/**
 * The result of `fromBinary` without unknown fields, in a fraction of its time: a list of twenty offers,
 * each with its pictures and tags, has two thousand members, and decoding them is the largest cost of such
 * a list. Everything unusual is decoded by `fromBinary`: repeated singular messages, and malformed
 * bytes.
 *
 * @throws as `fromBinary` does
 */
export function decodeMessage<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
): MessageShape<Desc> {
  const decode = compileDecoder(schema);
  const message = decode?.(new ByteReader(bytes), bytes.length);
  if (message !== undefined) return message as MessageShape<Desc>;
  return fromBinary(schema, bytes, { readUnknownFields: false });
}

/** Reads a message up to `end`, without unknown fields; undefined for unsupported input. */
export type Decoder = (reader: ByteReader, end: number) => object | undefined;

/** Decoders by message; undefined for unsupported messages. */
const decoders = new WeakMap<DescMessage, Decoder | undefined>();

/**
 * The decoder of a message, compiled on its first use: JavaScript with one
 * `case` for each field, as in protobufjs and ajv. A decoder that looks its fields up works on
 * objects whose shape the engine does not know, and takes three to six times as long.
 *
 * Undefined for messages with oneofs, maps, groups, closed enums, wrappers or types that
 * responses here do not use, for those that are not proto3, and for those that contain
 * themselves.
 */
export function compileDecoder(desc: DescMessage): Decoder | undefined {
  if (decoders.has(desc)) return decoders.get(desc);
  // A recursive message finds itself undefined while it is compiled.
  decoders.set(desc, undefined);
  const decoder = compile(desc);
  decoders.set(desc, decoder);
  return decoder;
}

function compile(desc: DescMessage): Decoder | undefined {
  if (desc.members.some(({ kind }) => kind !== "field")) return undefined;
  const children: (Decoder | undefined)[] = [];
  const cases: string[] = [];
  for (const field of desc.fields) {
    const source = caseOf(field, children);
    if (source === undefined) return undefined;
    cases.push(source);
  }
  const empty = create(desc);
  // Messages of other editions than proto3 inherit their defaults.
  if (Object.getPrototypeOf(empty) !== Object.prototype) return undefined;
  const initial = new Map<string, unknown>(Object.entries(empty));
  const source = `
    return (reader, end) => {
      ${desc.fields.map((field) => `let ${variable(field)} = ${initialOf(field, initial)};`).join("\n")}
      while (reader.pos < end) {
        const tag = reader.tag();
        switch (tag) {
          ${cases.join("\n")}
          default: if (known.has(tag >>> 3) || !reader.skip(tag)) return undefined;
        }
      }
      if (reader.pos !== end) return undefined;
      const message = { $typeName: ${JSON.stringify(desc.typeName)} };
      ${desc.fields.map((field) => assignmentOf(field, initial)).join("\n")}
      return message;
    };`;
  // The source has names and numbers of a generated descriptor, no data of callers.
  // oxlint-disable-next-line typescript/no-implied-eval, eslint/no-new-func
  const make = new Function("children", "known", source) as (
    children: readonly (Decoder | undefined)[],
    known: ReadonlySet<number>,
  ) => Decoder;
  // A known field of another wire type is not skipped.
  return make(children, new Set(desc.fields.map(({ number }) => number)));
}

function variable({ number }: DescField): string {
  return `field${number}`;
}

// Own members of an empty message are lists and fields with a proto3 default.
function initialOf(field: DescField, initial: ReadonlyMap<string, unknown>): string {
  if (field.fieldKind === "list") return "[]";
  const value = initial.get(field.localName);
  if (typeof value === "bigint") return `${value}n`;
  return value === undefined ? "undefined" : JSON.stringify(value);
}

function assignmentOf(field: DescField, initial: ReadonlyMap<string, unknown>): string {
  const assignment = `message.${field.localName} = ${variable(field)};`;
  if (initial.has(field.localName)) return assignment;
  return `if (${variable(field)} !== undefined) ${assignment}`;
}

interface ScalarReader {
  wireType: number;
  read: string;
}

const scalarReaders: Partial<Record<ScalarType, ScalarReader>> = {
  [ScalarType.STRING]: { wireType: wireTypes.lengthDelimited, read: "reader.string()" },
  [ScalarType.BOOL]: { wireType: wireTypes.varint, read: "reader.bool()" },
  [ScalarType.INT32]: { wireType: wireTypes.varint, read: "reader.int32()" },
  [ScalarType.INT64]: { wireType: wireTypes.varint, read: "reader.int64()" },
  [ScalarType.DOUBLE]: { wireType: wireTypes.bit64, read: "reader.double()" },
};

/** The source that reads a field; a message's decoder is added to `children`. */
function caseOf(field: DescField, children: (Decoder | undefined)[]): string | undefined {
  const name = variable(field);
  const tag = (wireType: number): number => field.number * 8 + wireType;
  const isList = field.fieldKind === "list";
  const kind = isList ? field.listKind : field.fieldKind;
  if (kind === "message") {
    const { message } = field;
    const isDelimited = "delimitedEncoding" in field && field.delimitedEncoding;
    if (message === undefined || isDelimited || isConverted(message)) return undefined;
    const child = compileDecoder(message);
    if (child === undefined) return undefined;
    const index = children.push(child) - 1;
    const decoded = `children[${index}](reader, reader.uint32() + reader.pos)`;
    return isList
      ? `case ${tag(wireTypes.lengthDelimited)}: {
           const child = ${decoded};
           if (child === undefined) return undefined;
           ${name}.push(child);
           break;
         }`
      : `case ${tag(wireTypes.lengthDelimited)}:
           if (${name} !== undefined) return undefined;
           ${name} = ${decoded};
           if (${name} === undefined) return undefined;
           break;`;
  }
  const scalar = scalarOf(field, kind);
  if (scalar === undefined) return undefined;
  const { wireType, read } = scalar;
  if (!isList) return `case ${tag(wireType)}: ${name} = ${read}; break;`;
  const one = `case ${tag(wireType)}: ${name}.push(${read}); break;`;
  if (wireType === wireTypes.lengthDelimited) return one;
  // Numbers in a list are mostly packed.
  return `${one}
         case ${tag(wireTypes.lengthDelimited)}: {
           const packedEnd = reader.uint32() + reader.pos;
           while (reader.pos < packedEnd) ${name}.push(${read});
           if (reader.pos !== packedEnd) return undefined;
           break;
         }`;
}

function scalarOf(field: DescField, kind: string): ScalarReader | undefined {
  if (kind === "enum") {
    return field.enum?.open === true ? scalarReaders[ScalarType.INT32] : undefined;
  }
  if (kind !== "scalar" || field.scalar === undefined) return undefined;
  if ("longAsString" in field && field.longAsString) return undefined;
  return scalarReaders[field.scalar];
}

// Wrappers and JSON values differ between messages and the wire.
function isConverted({ typeName }: DescMessage): boolean {
  return typeName.startsWith("google.protobuf.") && typeName !== "google.protobuf.Timestamp";
}

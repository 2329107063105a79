import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { EncodedWriter } from "./encoded-writer.ts";

// Every member of an init shape is optional, so a value with none of them is a truthful one.
class EncodedMessage {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/**
 * A message whose serialized bytes are known already: a handler returns or yields it, and the
 * bytes go out as they are. `bytes` must be a serialized message of `schema`'s type.
 */
export function encoded<Desc extends DescMessage>(
  _schema: Desc,
  bytes: Uint8Array,
): MessageInitShape<Desc> {
  return new EncodedMessage(bytes) as object as MessageInitShape<Desc>;
}

/** Of a message, by the names of its fields, what is serialized already or a number or text; null is left out. */
type EncodedParts<Desc extends DescMessage> = {
  readonly [Name in keyof Desc["field"]]?:
    | Uint8Array
    | readonly Uint8Array[]
    | number
    | bigint
    | string
    | null;
};

/** The same of parts: of a field that is a message its bytes, or those of each where it is repeated. */
export function encodedOf<Desc extends DescMessage>(
  schema: Desc,
  parts: EncodedParts<Desc>,
): MessageInitShape<Desc> {
  const writer = new EncodedWriter();
  for (const [name, part] of Object.entries(parts)) {
    const field = schema.field[name];
    if (field === undefined) throw new TypeError(`${schema.typeName} has no field ${name}`);
    if (part === null || part === undefined) continue;
    if (part instanceof Uint8Array) writer.message(field.number, part);
    else if (typeof part === "string") writer.string(field.number, part);
    else if (typeof part === "object") writer.messages(field.number, part);
    else writer.varint(field.number, part);
  }
  return encoded(schema, writer.finish());
}

/** The bytes of what a handler returned, without copying those of `encoded`. */
export function toBytes<Desc extends DescMessage>(
  schema: Desc,
  message: MessageInitShape<Desc>,
): Uint8Array {
  return message instanceof EncodedMessage
    ? message.bytes
    : toBinary(schema, create(schema, message));
}

/** The message of what a handler returned, decoding what `encoded` made. */
export function toMessage<Desc extends DescMessage>(
  schema: Desc,
  message: MessageInitShape<Desc>,
): MessageShape<Desc> {
  return message instanceof EncodedMessage
    ? fromBinary(schema, message.bytes)
    : create(schema, message);
}

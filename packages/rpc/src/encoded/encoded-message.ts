import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

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

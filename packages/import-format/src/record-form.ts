import { fromBinary, fromJson, isMessage, toBinary, toJson } from "@bufbuild/protobuf";
import type { DescMessage, JsonObject, Message, MessageShape } from "@bufbuild/protobuf";
import { RecordFormatError, recordFromJson } from "./json/record-from-json.ts";
import { recordToJson } from "./json/record-to-json.ts";

/** The form of a kind's records in lines. */
export interface RecordForm {
  /**
   * @param identityOnly the only members to read.
   * @throws RecordFormatError when it does not have the form of its kind.
   */
  read(
    json: JsonObject,
    identityOnly?: readonly string[],
  ): { record: Message; unknownMembers: number };
  /** The record of a message, in the form that `read` accepts. */
  write(record: Message): JsonObject;
}

/** Levels of messages that protobuf-es reads, minus those around a record in requests and responses. */
const depthLimit = 100 - 5;

/** The form of records from sources: unknown members are counted. */
export function recordForm(schema: DescMessage): RecordForm {
  // Other records are bounded by the length of their line.
  const isFreeForm = schema.fields.some(
    ({ message }) => message?.typeName === "google.protobuf.Struct",
  );
  return {
    read(json, identityOnly) {
      const read = recordFromJson(
        schema,
        json,
        identityOnly === undefined ? {} : { only: identityOnly },
      );
      if (isFreeForm) checkTravels(schema, read.record);
      return read;
    },
    write: (record) => recordToJson(schema, record),
  };
}

/** Protobuf's own JSON; for kinds that only exports have. */
export function protobufForm(schema: DescMessage): RecordForm {
  return {
    read: (json) => ({ record: readMessage(schema, json), unknownMembers: 0 }),
    write(record) {
      if (!isMessage(record, schema)) throw new TypeError(`this is no ${schema.typeName}`);
      return toJson(schema, record) as JsonObject;
    },
  };
}

/**
 * Free-form JSON grows up to sixfold on the wire and may be nested without limit: rejected here, since a
 * message that the service cannot read would break the whole stream.
 */
function checkTravels(schema: DescMessage, record: Message): void {
  let sizeBytes: number;
  try {
    const bytes = toBinary(schema, record);
    sizeBytes = bytes.length;
    fromBinary(schema, bytes, { recursionLimit: depthLimit });
  } catch {
    throw new RecordFormatError("", "", "must not be nested that deep");
  }
  checkSize(sizeBytes);
}

/** Reads a message and checks that it is small enough to send. */
function readMessage<Desc extends DescMessage>(schema: Desc, json: JsonObject): MessageShape<Desc> {
  let message: MessageShape<Desc>;
  let sizeBytes: number;
  try {
    message = fromJson(schema, json, { ignoreUnknownFields: true });
    sizeBytes = toBinary(schema, message).length;
  } catch (error) {
    throw new RecordFormatError(
      "",
      "",
      `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  checkSize(sizeBytes);
  return message;
}

function checkSize(sizeBytes: number): void {
  const fault = messageSizeFault(sizeBytes);
  if (fault !== undefined) throw new RecordFormatError("", "", fault);
}

/** Limits of whole records; those of their members are in the contract. */
export const limits = {
  /** UTF-8 bytes of a line; for a record, of the line that an export writes. */
  lineBytes: 1024 * 1024,
  /** A record as it is sent: with its wrapper it must fit into a request, which has at most 4 MiB. */
  messageBytes: 3.5 * 1024 * 1024,
} as const;

/** The rule that a record of so many bytes of protobuf breaks; undefined if none. */
export function messageSizeFault(sizeBytes: number): string | undefined {
  return sizeBytes > limits.messageBytes ? "must be at most 3.5 MiB in protobuf" : undefined;
}

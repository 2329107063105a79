import { fromJson, isMessage, toBinary, toJson } from "@bufbuild/protobuf";
import type { DescMessage, JsonObject, MessageShape } from "@bufbuild/protobuf";
import { messageSizeFault, RecordFormatError } from "@storefront/ingest";
import { messageOf } from "../user-error.ts";
import type { KindOf } from "./ingest-service.ts";

/**
 * A kind whose records stand in lines as protobuf's own JSON; for what no source but an export gives.
 *
 * @param wrap puts a record into the oneof of its service's observations.
 */
export function protobufKind<Desc extends DescMessage, RecordCase>(
  schema: Desc,
  wrap: (record: MessageShape<Desc>) => RecordCase,
): KindOf<RecordCase> {
  return {
    schema,
    read: (json) => ({ record: wrap(readMessage(schema, json)), unknownMembers: 0 }),
    write(record) {
      if (!isMessage(record, schema)) throw new TypeError(`this is no ${schema.typeName}`);
      return toJson(schema, record) as JsonObject;
    },
  };
}

/**
 * A message that is small enough to travel.
 *
 * @throws RecordFormatError
 */
export function readMessage<Desc extends DescMessage>(
  schema: Desc,
  json: JsonObject,
): MessageShape<Desc> {
  let message: MessageShape<Desc>;
  let sizeBytes: number;
  try {
    message = fromJson(schema, json, { ignoreUnknownFields: true });
    sizeBytes = toBinary(schema, message).length;
  } catch (error) {
    throw new RecordFormatError("", "", `cannot be read: ${messageOf(error)}`);
  }
  const fault = messageSizeFault(sizeBytes);
  if (fault !== undefined) throw new RecordFormatError("", "", fault);
  return message;
}

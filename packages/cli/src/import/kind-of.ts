import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import {
  messageSizeFault,
  recordFromJson,
  RecordFormatError,
  recordToJson,
} from "@storefront/ingest";
import type { KindOf } from "./ingest-service.ts";

/** Levels of messages that protobuf-es reads, less those around a record in requests and answers. */
const depthLimit = 100 - 5;

/**
 * A kind by the schema of its records.
 *
 * @param wrap puts a record into the oneof of its service's observations.
 */
export function kindOf<Desc extends DescMessage, RecordCase>(
  schema: Desc,
  wrap: (record: MessageShape<Desc>) => RecordCase,
): KindOf<RecordCase> {
  // Other records are bounded by the length of their line.
  const isFreeForm = schema.fields.some(
    ({ message }) => message?.typeName === "google.protobuf.Struct",
  );
  return {
    schema,
    read(json, identityOnly) {
      const { record, unknownMembers } = recordFromJson(
        schema,
        json,
        identityOnly === undefined ? {} : { only: identityOnly },
      );
      if (isFreeForm) checkTravels(schema, record);
      return { record: wrap(record), unknownMembers };
    },
    write: (record) => recordToJson(schema, record),
  };
}

/**
 * Free-form JSON grows up to sixfold on the wire and may be nested without end: refused here, since
 * a message that the service cannot read would break the stream for everybody.
 */
function checkTravels<Desc extends DescMessage>(schema: Desc, record: MessageShape<Desc>): void {
  let sizeBytes: number;
  try {
    const bytes = toBinary(schema, record);
    sizeBytes = bytes.length;
    fromBinary(schema, bytes, { recursionLimit: depthLimit });
  } catch {
    throw new RecordFormatError("", "", "must not be nested that deep");
  }
  const fault = messageSizeFault(sizeBytes);
  if (fault !== undefined) throw new RecordFormatError("", "", fault);
}

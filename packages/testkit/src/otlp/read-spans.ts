import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

type AttributeValue = string | number | boolean | undefined;

/** A span as a receiver gets it. */
export interface ReceivedSpan {
  /** `service.name` of its process. */
  service: string;
  /** Attributes of its process. */
  resource: Readonly<Record<string, AttributeValue>>;
  name: string;
  kind: "internal" | "server" | "client" | "other";
  traceId: string;
  spanId: string;
  /** Empty for the first of a trace. */
  parentSpanId: string;
  traceState: string;
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, AttributeValue>>;
  links: readonly { traceId: string; spanId: string }[];
  isError: boolean;
}

/**
 * The spans of an `ExportTraceServiceRequest`. Members that tests do not use are skipped.
 *
 * Source: https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
export function readSpans(request: Uint8Array): ReceivedSpan[] {
  return fieldsOf(request).messages(1).flatMap(readResourceSpans);
}

function readResourceSpans(bytes: Uint8Array): ReceivedSpan[] {
  const { messages } = fieldsOf(bytes);
  const resource = Object.fromEntries(
    messages(1).flatMap((each) => fieldsOf(each).messages(1).map(readAttribute)),
  );
  const service = String(resource["service.name"]);
  return messages(2)
    .flatMap((scope) => fieldsOf(scope).messages(2))
    .map((span) => readSpan(span, service, resource));
}

const kinds = ["other", "internal", "server", "client"] as const;
const statusError = 2;

function readSpan(
  bytes: Uint8Array,
  service: string,
  resource: ReceivedSpan["resource"],
): ReceivedSpan {
  const { messages, text, hex, number } = fieldsOf(bytes);
  const [status = new Uint8Array()] = messages(15);
  return {
    service,
    resource,
    name: text(5),
    kind: kinds[number(6)] ?? "other",
    traceId: hex(1),
    spanId: hex(2),
    parentSpanId: hex(4),
    traceState: text(3),
    startMs: number(7) / 1e6,
    endMs: number(8) / 1e6,
    attributes: Object.fromEntries(messages(9).map(readAttribute)),
    links: messages(13).map((link) => ({
      traceId: fieldsOf(link).hex(1),
      spanId: fieldsOf(link).hex(2),
    })),
    isError: fieldsOf(status).number(3) === statusError,
  };
}

function readAttribute(bytes: Uint8Array): [name: string, value: AttributeValue] {
  const { messages, text } = fieldsOf(bytes);
  const [value = new Uint8Array()] = messages(2);
  const reader = new BinaryReader(value);
  if (value.length === 0) return [text(1), undefined];
  const [field, wireType] = reader.tag();
  switch (field) {
    case 1:
      return [text(1), reader.string()];
    case 2:
      return [text(1), reader.bool()];
    case 3:
      return [text(1), Number(reader.int64())];
    case 4:
      return [text(1), reader.double()];
    default:
      reader.skip(wireType);
      return [text(1), undefined];
  }
}

/** The fields of a message by their numbers; a missing one is empty or 0. */
function fieldsOf(bytes: Uint8Array) {
  const byNumber = new Map<number, (Uint8Array | number)[]>();
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    const values = byNumber.get(field) ?? [];
    if (wireType === WireType.Varint) values.push(Number(reader.uint64()));
    else if (wireType === WireType.Bit64) values.push(Number(reader.fixed64()));
    else if (wireType === WireType.LengthDelimited) values.push(reader.bytes());
    else reader.skip(wireType);
    byNumber.set(field, values);
  }
  const messages = (field: number): Uint8Array[] =>
    (byNumber.get(field) ?? []).filter((value) => typeof value !== "number");
  const first = (field: number): Buffer => Buffer.from(messages(field)[0] ?? []);
  return {
    messages,
    text: (field: number) => first(field).toString("utf8"),
    hex: (field: number) => first(field).toString("hex"),
    number: (field: number) => Number(byNumber.get(field)?.[0] ?? 0),
  };
}

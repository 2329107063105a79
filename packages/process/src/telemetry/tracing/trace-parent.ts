/** The trace of a call, as sent by its caller. */
export interface TraceParent {
  /** 32 hexadecimal digits, not all of them 0. */
  readonly traceId: string;
  /** Of the caller's span: 16 hexadecimal digits, not all of them 0. */
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Its valid `tracestate`, to be passed on unchanged. */
  readonly tracestate: string | undefined;
}

const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const noId = /^0+$/;

const sampledFlag = 1;

/**
 * Reads the headers of W3C Trace Context; undefined where there is no valid `traceparent`. A
 * `tracestate` that is not valid is omitted.
 *
 * Source: https://www.w3.org/TR/trace-context/
 */
export function readTraceParent(
  traceparent: string | undefined,
  tracestate?: string | readonly string[],
): TraceParent | undefined {
  if (traceparent === undefined) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", more] =
    traceparentForm.exec(traceparent) ?? [];
  // Of an unknown later version, the members of this one are read, and later ones ignored.
  const isVersion = version === "00" ? more === undefined : version !== "ff";
  if (traceId === "" || !isVersion || noId.test(traceId) || noId.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & sampledFlag) !== 0;
  const state = typeof tracestate === "object" ? tracestate.join(",") : tracestate;
  return { traceId, spanId, isSampled, tracestate: validTracestate(state) };
}

/** The `traceparent` header of a call within a span. */
export function formatTraceParent(traceId: string, spanId: string, isSampled: boolean): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

const membersMax = 32;
const tracestateMaxLength = 512;
const keyForm =
  /^(?:[a-z0-9][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const valueForm = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

function validTracestate(text: string | undefined): string | undefined {
  if (text === undefined || text === "" || text.length > tracestateMaxLength) return undefined;
  const keys = new Set<string>();
  for (const part of text.split(",")) {
    const member = part.replaceAll(/^[ \t]+|[ \t]+$/g, "");
    if (member === "") continue;
    const mark = member.indexOf("=");
    const key = member.slice(0, Math.max(mark, 0));
    if (!keyForm.test(key) || !valueForm.test(member.slice(mark + 1)) || keys.has(key)) {
      return undefined;
    }
    keys.add(key);
  }
  return keys.size === 0 || keys.size > membersMax ? undefined : text;
}

import { describe, expect, it } from "vitest";
import { formatTraceParent, readTraceParent } from "./trace-parent.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const valid = `00-${traceId}-${spanId}-01`;

describe("traceparent", () => {
  it("has the trace, the caller's span and whether it is sampled", () => {
    expect(readTraceParent(valid)).toEqual({
      traceId,
      spanId,
      isSampled: true,
      tracestate: undefined,
    });
    expect(readTraceParent(`00-${traceId}-${spanId}-00`)?.isSampled).toBe(false);
    expect(readTraceParent(`00-${traceId}-${spanId}-03`)?.isSampled).toBe(true);
    expect(readTraceParent(formatTraceParent(traceId, spanId, true))?.traceId).toBe(traceId);
  });

  it.each([
    ["of a later version", `cc-${traceId}-${spanId}-01`],
    ["of a later version with more members", `cc-${traceId}-${spanId}-01-what-will-be`],
  ])("%s is read up to its known members", (_case, text) => {
    expect(readTraceParent(text)).toMatchObject({ traceId, spanId, isSampled: true });
  });

  it.each([
    ["absent", undefined],
    ["empty", ""],
    ["of version ff", `ff-${traceId}-${spanId}-01`],
    ["with a trace id of zeros", `00-${"0".repeat(32)}-${spanId}-01`],
    ["with a span id of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["in capitals", valid.toUpperCase()],
    ["with more members than version 00 has", `${valid}-more`],
    ["with a dash at the end", `${valid}-`],
    ["of a later version with members that are not separated", `cc-${traceId}-${spanId}-01.more`],
    ["too short", valid.slice(0, -1)],
    ["sent twice", `${valid}, ${valid}`],
    ["with flags that are not hexadecimal", `00-${traceId}-${spanId}-0x`],
  ])("%s is not a trace", (_case, text) => {
    expect(readTraceParent(text)).toBeUndefined();
  });
});

describe("tracestate", () => {
  const read = (text: string | string[]) => readTraceParent(valid, text)?.tracestate;

  it.each([
    "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
    "rojo=1, ,congo=2",
    "fw529a3039@dt=FfAAA",
    Array.from({ length: 32 }, (_, index) => `k${index}=v`).join(","),
  ])("is preserved: %s", (text) => {
    expect(read(text)).toBe(text);
  });

  it("of several headers is one list", () => {
    expect(read(["rojo=1", "congo=2"])).toBe("rojo=1,congo=2");
  });

  it.each([
    ["without a value", "rojo"],
    ["with a key in capitals", "Rojo=1"],
    ["with a duplicate key", "rojo=1,rojo=2"],
    ["with an equals sign in a value", "rojo=1=2"],
    [
      "with more than 32 members",
      Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(","),
    ],
    [
      "of more than 512 characters",
      `rojo=${"1".repeat(250)},congo=${"2".repeat(252)}`.concat(",a=1234"),
    ],
    ["with other characters than printable ASCII", "rojo=ü"],
  ])("%s is omitted, and the trace continues", (_case, text) => {
    expect(readTraceParent(valid, text)).toMatchObject({ traceId, tracestate: undefined });
  });
});

import type { TRPCClientError } from "@trpc/client";
import { EventSource } from "undici";
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from "vitest";
import { CatalogError, createCatalogClient } from "../src/index.ts";
import type { CatalogRouter, ChangelogEntry, GatewayErrorCode } from "../src/index.ts";
import { serve } from "./support/serve.ts";

const eventsHeaders = { "content-type": "text/event-stream; charset=utf-8" };
const begin = "event: connected\ndata: {}\n\nretry: 10\n\n";
const eventOf = (id: string) => `id: ${id}\ndata: ${JSON.stringify({ _id: id })}\n\n`;

// Node has no EventSource without a flag.
beforeEach(() => void vi.stubGlobal("EventSource", EventSource));
let unsubscribe = () => {};
afterEach(() => {
  unsubscribe();
  vi.unstubAllGlobals();
});

function subscribe(url: string) {
  const seen = {
    events: new Array<{ id: string; data: ChangelogEntry }>(),
    failures: new Array<TRPCClientError<CatalogRouter>>(),
  };
  const { changelog } = createCatalogClient({ url });
  const subscription = changelog.watchEntries.subscribe(undefined, {
    onData: (event) => seen.events.push(event),
    onError: (error) => {
      expectTypeOf(error.data?.error).toEqualTypeOf<GatewayErrorCode | undefined>();
      seen.failures.push(error);
    },
  });
  unsubscribe = () => subscription.unsubscribe();
  return seen;
}

test("a subscription has each event with its id, and resumes after the last one when it was cut off", async () => {
  const requests: string[] = [];
  const url = await serve(({ url: path, headers }, response) => {
    requests.push(`${path} ${String(headers["last-event-id"])}`);
    response.writeHead(200, eventsHeaders);
    if (requests.length === 1) response.end(`${begin}${eventOf("a")}${eventOf("b")}id: half`);
    else response.write(`${begin}${eventOf("c")}`);
  });
  const { events, failures } = subscribe(url);
  const expected = ["a", "b", "c"].map((id) => ({ id, data: { _id: id } }));
  await expect.poll(() => events).toEqual(expected);
  const path = "/trpc/changelog.watchEntries";
  expect(requests).toEqual([`${path} undefined`, `${path} b`]);
  expect(failures).toEqual([]);
});

test("a permanent failure ends a subscription with a CatalogError", async () => {
  const data = { code: "NOT_FOUND", httpStatus: 404, error: "NOT_FOUND" };
  const shape = JSON.stringify({ code: -32004, message: "Change not found", data });
  const url = await serve((_request, response) => {
    response.writeHead(200, eventsHeaders);
    response.end(`${begin}event: serialized-error\ndata: ${shape}\n\n`);
  });
  const { failures } = subscribe(url);
  await expect.poll(() => failures).toHaveLength(1);
  expect(failures[0]).toBeInstanceOf(CatalogError);
  expect(failures[0]).toMatchObject({ code: "NOT_FOUND", message: "Change not found", data });
});

test("a runtime without EventSource fails at once", () => {
  vi.stubGlobal("EventSource", undefined);
  expect(() => subscribe("http://localhost:4000")).toThrow(/has no EventSource/);
});

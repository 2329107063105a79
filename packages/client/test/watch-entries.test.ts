import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { watchEntries, watchPriceChanges } from "../src/index.ts";
import type { ChangelogEntry } from "../src/index.ts";
import { failureOf, serve } from "./support/serve.ts";

const eventsHeaders = { "content-type": "text/event-stream; charset=utf-8" };
const eventOf = (id: string) => `id: ${id}\ndata: ${JSON.stringify({ _id: id })}\n\n`;

/** A server that responds to requests in turn; and the id that each resumed after. */
async function serveStreams(handlers: ((response: ServerResponse) => void)[]) {
  const resumed: (string | undefined)[] = [];
  const url = await serve(({ headers }, response) => {
    const sent = headers["last-event-id"];
    const handler = handlers[resumed.length];
    resumed.push(typeof sent === "string" ? Buffer.from(sent, "latin1").toString() : undefined);
    handler?.(response);
  });
  return { url, resumed };
}

async function take(entries: AsyncIterable<ChangelogEntry>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { _id } of entries) {
    ids.push(_id);
    if (ids.length === count) break;
  }
  return ids;
}

test("changes arrive in order, and after a break those after the last one", async () => {
  const { url, resumed } = await serveStreams([
    (response) => {
      response.writeHead(200, eventsHeaders);
      response.end(`retry: 10\n\n:\n\n${eventOf("ä1")}${eventOf("ä2")}id: half`);
    },
    (response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end('{"message":"Closing.","error":"UNAVAILABLE"}');
    },
    (response) => response.writeHead(200, eventsHeaders).write(eventOf("ä3")),
  ]);
  const breaks: string[] = [];
  let opened = 0;
  const entries = watchEntries({
    url,
    onOpen: () => (opened += 1),
    onBreak: ({ code }) => breaks.push(code),
  });
  expect(await take(entries, 3)).toEqual(["ä1", "ä2", "ä3"]);
  expect(resumed).toEqual([undefined, "ä2", "ä2"]);
  expect({ opened, breaks }).toEqual({ opened: 2, breaks: ["UNREACHABLE", "UNAVAILABLE"] });
});

test("an id without a change is a position to resume after", async () => {
  const { url, resumed } = await serveStreams([
    (response) => response.writeHead(200, eventsHeaders).end("retry: 10\n\nid: head\n\n"),
    (response) => response.writeHead(200, eventsHeaders).write(eventOf("next")),
  ]);
  expect(await take(watchEntries({ url, after: "begin" }), 1)).toEqual(["next"]);
  expect(resumed).toEqual(["begin", "head"]);
});

test("a change that arrives in chunks, with CRLF line ends, is complete", async () => {
  const [first, ...rest] = Buffer.from('id: ü\r\ndata: {"_id":\r\ndata: "ü"}\r\n\r\n');
  const { url } = await serveStreams([
    (response) => {
      response.writeHead(200, eventsHeaders);
      for (const byte of [first ?? 0, ...rest]) response.write(Buffer.of(byte));
    },
  ]);
  expect(await take(watchEntries({ url }), 1)).toEqual(["ü"]);
});

test("a follower whose last change was lost fails with NOT_FOUND", async () => {
  const { url, resumed } = await serveStreams([
    (response) => {
      response.writeHead(404, { "content-type": "application/json", "x-request-id": "id-1" });
      response.end('{"message":"Change not found","error":"NOT_FOUND"}');
    },
  ]);
  const failure = await failureOf(take(watchEntries({ url, after: "undone" }), 1));
  expect(failure).toMatchObject({ code: "NOT_FOUND", status: 404, requestId: "id-1" });
  expect(resumed).toEqual(["undone"]);
});

test("the changes end with their signal, and leaving the loop closes the connection", async () => {
  const closed: Promise<unknown>[] = [];
  const { url } = await serveStreams(
    [1, 2].map(() => (response: ServerResponse) => {
      closed.push(new Promise((resolve) => response.once("close", resolve)));
      response.writeHead(200, eventsHeaders).write(eventOf("one"));
    }),
  );
  await take(watchEntries({ url }), 1);
  const canceled = new AbortController();
  for await (const { _id } of watchEntries({ url, signal: canceled.signal })) {
    expect(_id).toBe("one");
    canceled.abort();
  }
  expect(closed).toHaveLength(2);
  await Promise.all(closed);
});

test("changes of prices are followed by region in the same way", async () => {
  const paths: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    paths.push(`${request.url} ${String(request.headers["last-event-id"])}`);
    const events = ["p1", "p2"].map((id) => `id: ${id}\ndata: ${JSON.stringify({ id })}\n\n`);
    response.writeHead(200, eventsHeaders).end(`retry: 10\n\n${events[paths.length - 1] ?? ""}`);
  });
  const ids: string[] = [];
  for await (const { id } of watchPriceChanges({ url, region: "EURO" })) {
    ids.push(id);
    if (ids.length === 2) break;
  }
  expect(ids).toEqual(["p1", "p2"]);
  const path = "/price-changes/stream?region=EURO";
  expect(paths).toEqual([`${path} undefined`, `${path} p1`]);
});

import { createLogger, runForSpan, startTracing } from "@storefront/process";
import type { Span } from "@storefront/process";
import { describeOnEachDatabase, startTraceReceiver } from "@storefront/testkit";
import type { ReceivedSpan } from "@storefront/testkit";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { joinLookups, openDatabase } from "../src/index.ts";
import type { Database } from "../src/index.ts";

/** Runs work for as many requests, each in a trace of its own, and returns its spans. */
async function traced(
  work: (requests: readonly Span[]) => Promise<unknown>,
  count = 1,
): Promise<{ spans: readonly ReceivedSpan[]; requests: readonly Span[] }> {
  const receiver = await startTraceReceiver();
  onTestFinished(() => receiver.close());
  const tracer = await startTracing(
    { url: `${receiver.url}/v1/traces`, serviceName: "catalog" },
    createLogger({ service: "catalog", destination: { write: () => undefined } }),
  );
  if (tracer === undefined) throw new Error("no tracer");
  const requests = Array.from({ length: count }, () =>
    tracer.enter("request", { parent: undefined, attributes: {} }),
  );
  await work(requests);
  for (const request of requests) request.end();
  await tracer.close();
  return { spans: receiver.spans.filter(({ name }) => name !== "request"), requests };
}

const tracedFor = (work: () => Promise<unknown>) =>
  traced(async ([request]) => runForSpan(request, work));

describeOnEachDatabase("statements in traces", (database) => {
  let opened: Database;
  beforeAll(async () => {
    opened = await openDatabase(database.options());
    return () => opened.close();
  });

  it("each one is a child of its request, with its text and without its parameters", async () => {
    const { spans, requests } = await tracedFor(async () => {
      await opened.read({ name: "test.echo", text: "select $1::text as echo" }, ["a secret"]);
      await opened.read("select $1::text", ["another secret"]);
    });
    expect(spans).toMatchObject([
      {
        name: "test.echo",
        kind: "client",
        parentSpanId: requests[0]?.spanId,
        attributes: {
          "db.system.name": "postgresql",
          "db.operation.name": "SELECT",
          "db.query.summary": "test.echo",
          "db.query.text": "select $1::text as echo",
          "storefront.connection_wait_ms": expect.any(Number),
        },
      },
      { name: "SELECT", attributes: { "db.query.text": "select $1::text" } },
    ]);
    expect(JSON.stringify(spans)).not.toContain("secret");
    if (database.driver === "pglite") return;
    const { hostname, port, pathname } = new URL(database.options().url);
    expect(spans[0]?.attributes).toMatchObject({
      "server.address": hostname,
      "server.port": Number(port),
      "db.namespace": pathname.slice(1),
    });
  });

  it("a transaction shows where it begins and ends", async () => {
    const { spans } = await tracedFor(() =>
      opened.transaction(async (tx) => {
        await tx.read("select 1");
      }),
    );
    expect(spans.map(({ name }) => name)).toEqual(["BEGIN", "SELECT", "COMMIT"]);
  });

  it("one that fails has its SQLSTATE, and not the server's message", async () => {
    const { spans } = await tracedFor(() =>
      opened.read("select $1::int", ["no number"]).catch(() => undefined),
    );
    expect(spans).toMatchObject([
      {
        isError: true,
        attributes: { "db.response.status_code": "22P02", "error.type": "22P02" },
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain("no number");
  });

  it("without a request there is none", async () => {
    const { spans } = await traced(() => opened.read("select 1"));
    expect(spans).toEqual([]);
  });

  it("joined lookups are a child of one request and linked to the others", async () => {
    const lookUp = joinLookups<{ id: string }>({
      one: (id) => opened.readOne({ name: "test.one", text: "select $1::text as id" }, [id]),
      many: async (ids) => {
        const rows = await opened.read<{ id: string }>(
          { name: "test.many", text: "select unnest($1::text[]) as id" },
          [ids],
        );
        return new Map(rows.map((row) => [row.id, row]));
      },
    });
    const { spans, requests } = await traced(async (each) => {
      await Promise.all([
        lookUp("untraced", ""),
        ...each.map((request, index) => runForSpan(request, () => lookUp(`${index}`, ""))),
      ]);
      await runForSpan(each[1], () => lookUp("alone", ""));
    }, 3);
    const [one, two, three] = requests;
    const joined = spans.find(({ name }) => name === "joined lookups");
    expect(joined).toMatchObject({
      traceId: one?.traceId,
      parentSpanId: one?.spanId,
      attributes: { "storefront.lookups": 4 },
      links: [two, three].map((request) => ({
        traceId: request?.traceId,
        spanId: request?.spanId,
      })),
    });
    expect(spans.find(({ name }) => name === "test.many")?.parentSpanId).toBe(joined?.spanId);
    expect(spans.find(({ name }) => name === "test.one")?.parentSpanId).toBe(two?.spanId);
  });
});

it("a database's name with invalid percent-encoding does not fail tracing", async () => {
  const opening = openDatabase({ url: "postgres://127.0.0.1:1/a%zz" });
  await expect(opening.then((opened) => opened.close())).resolves.toBeUndefined();
});

import * as semanticConventions from "@opentelemetry/semantic-conventions/incubating";
import {
  describeUnlessMissing,
  missingTypesenseProgram,
  startEmbeddingEndpoint,
  startStack,
  startTraceReceiver,
  startTypesense,
} from "@storefront/testkit";
import type { ReceivedSpan, TestStack } from "@storefront/testkit";
import { beforeAll, expect, it, vi } from "vitest";

const observedAt = "2026-01-02T03:04:05.678Z";
const observations = [
  { kind: "offer", observedAt, record: { id: "offer-1", namespace: "calluna", title: "Near" } },
  {
    kind: "price",
    observedAt,
    record: {
      offerId: "offer-1",
      region: "US",
      price: { currencyCode: "USD", originalPrice: 2000, discountPrice: 1500 },
    },
  },
];

/** A client's trace for each question. */
const traceIdOf = (digit: string) => digit.repeat(32);
const clientSpanId = "b7ad6b7169203331";
const traceOf = (digit: string) => ({
  traceparent: `00-${traceIdOf(digit)}-${clientSpanId}-01`,
});

/** Starts a stack, sends the questions, stops it, and returns all of its spans. */
async function traceQuestions(): Promise<readonly ReceivedSpan[]> {
  const receiver = await startTraceReceiver();
  const typesense = await startTypesense();
  const endpoint = await startEmbeddingEndpoint();
  const stack = await startStack({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      TYPESENSE_URL: typesense.url,
      TYPESENSE_API_KEY: typesense.apiKey,
      EMBEDDER: "openai",
      EMBEDDING_URL: endpoint.url,
      EMBEDDING_DIMENSIONS: "4",
    },
  });
  try {
    const stdin = observations.map((line) => `${JSON.stringify(line)}\n`).join("");
    expect(await stack.cli(["import", "-"], { stdin })).toMatchObject({ status: 0 });
    await vi.waitUntil(async () => (await search(stack, {})).includes("offer-1"), 60_000);
    await ask(stack);
  } finally {
    await stack.stop();
    await Promise.all([receiver.close(), typesense.stop(), endpoint.close()]);
  }
  return receiver.spans;
}

async function ask(stack: TestStack): Promise<void> {
  const overview = `${stack.gatewayUrl}/offers/offer-1/overview?country=US`;
  const response = await fetch(overview, { headers: traceOf("a") });
  expect(response.status).toBe(200);
  await response.text();
  expect(await search(stack, traceOf("c"))).toEqual(["offer-1"]);
}

/** The ids of the offers that a search by meaning finds; none before they are indexed. */
async function search(
  { gatewayUrl }: TestStack,
  headers: Record<string, string>,
): Promise<string[]> {
  const response = await fetch(`${gatewayUrl}/search/natural-language`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ query: "a secret nearby" }),
  });
  const { matches = [] } = (await response.json()) as { matches?: { offer: { id: string } }[] };
  return matches.map(({ offer }) => offer.id);
}

describeUnlessMissing("traces of a stack", missingTypesenseProgram(), () => {
  let spans: readonly ReceivedSpan[];
  beforeAll(async () => {
    spans = await traceQuestions();
  }, 120_000);

  const inTrace = (digit: string) => spans.filter(({ traceId }) => traceId === traceIdOf(digit));

  /** Names from the client down to a span, each prefixed with its process. */
  function wayTo(span: ReceivedSpan): string[] {
    const parent = spans.find(
      ({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId,
    );
    const own = `${span.service}: ${span.name}`;
    return parent === undefined ? [span.parentSpanId, own] : [...wayTo(parent), own];
  }

  const waysIn = (digit: string) => inTrace(digit).map((span) => wayTo(span).join(" > "));

  it("an overview requested by REST shows every hop down to SQL", () => {
    const begin = `${clientSpanId} > gateway: GET /offers/{id}/overview > gateway: getOfferOverview`;
    const call = (service: string, method: string) => {
      const name = `storefront.${service}.v1.${service === "catalog" ? "Catalog" : "Pricing"}Service/${method}`;
      return `${begin} > gateway: ${name} > ${service}: ${name}`;
    };
    expect(waysIn("a")).toEqual(
      expect.arrayContaining([
        begin,
        `${call("catalog", "BatchGetOffers")} > catalog: catalog.listOffers`,
        `${call("catalog", "GetOfferOverview")} > catalog: catalog.findOverview`,
        `${call("catalog", "GetOfferOverview")} > catalog: catalog.activeTagsOfOffer`,
        `${call("catalog", "GetOfferOverview")} > catalog: catalog.ageRatingsOfOffer`,
        `${call("pricing", "BatchGetPrices")} > pricing: pricing.batchGetPrices`,
        `${call("pricing", "ListOfferGiveaways")} > pricing: pricing.listOfferGiveaways`,
      ]),
    );
    // The trace has only this request.
    expect(waysIn("a").every((way) => way.startsWith(`${clientSpanId} > gateway: GET `))).toBe(
      true,
    );
    const statements = inTrace("a").filter(({ attributes }) => "db.query.text" in attributes);
    for (const { kind, attributes, startMs, endMs } of statements) {
      expect(kind).toBe("client");
      expect(attributes["db.system.name"]).toBe("postgresql");
      expect(endMs).toBeGreaterThanOrEqual(startMs);
    }
  });

  it("a search by meaning shows the embedding endpoint and Typesense, but not the query text", () => {
    const ways = waysIn("c");
    const name = "storefront.search.v1.SearchService/SearchOffersByMeaning";
    expect(ways).toEqual(
      expect.arrayContaining([
        expect.stringMatching(`search: ${name} > search: embeddings text-embedding-3-small$`),
        expect.stringMatching(`search: ${name} > search: typesense multi_search$`),
      ]),
    );
    expect(JSON.stringify(inTrace("c"))).not.toContain("a secret");
  });

  it("every attribute is defined by OpenTelemetry or has our prefix", () => {
    const known = new Set(Object.values(semanticConventions).map(String));
    const names = spans.flatMap(({ attributes }) => Object.keys(attributes));
    const unknown = new Set(names.filter((name) => !known.has(name)));
    expect([...unknown].filter((name) => !name.startsWith("storefront."))).toEqual([]);
  });

  it("background work adds no statements to traces, which would never end", () => {
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === "");
    expect(roots.filter(({ kind }) => kind !== "server")).toEqual([]);
    const streams = new Set(
      spans.filter(({ name }) => name.endsWith("/WatchChanges")).map(({ spanId }) => spanId),
    );
    expect(spans.filter(({ parentSpanId }) => streams.has(parentSpanId))).toEqual([]);
  });
});

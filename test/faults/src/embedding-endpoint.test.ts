import { startEmbeddingEndpoint, startStack } from "@storefront/testkit";
import type { EmbeddingEndpoint, EndpointMood, TestStack } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

/** How often a state that is waited for is looked at, and how long at most, in milliseconds. */
const lookMs = 50;
const patienceMs = 60_000;

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAtMs) throw new Error("what is waited for does not come");
    await setTimeout(lookMs);
  }
}

async function post(stack: TestStack, path: string, body: object) {
  const response = await fetch(`${stack.gatewayUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

const ask = (stack: TestStack, query: string) => post(stack, "/search/natural-language", { query });

async function importOffers(stack: TestStack, titles: Record<string, string>): Promise<void> {
  const lines = Object.entries(titles).map(([id, title]) => ({
    kind: "offer",
    op: "upsert",
    observedAt: new Date().toISOString(),
    record: { id, namespace: "ns", title },
  }));
  const file = join(stack.dataDirectory, "offers.ndjson");
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  expect((await stack.cli(["import", file])).status).toBe(0);
}

describe("a stack whose embedding endpoint fails", () => {
  let endpoint: EmbeddingEndpoint;
  let stack: TestStack;
  beforeAll(async () => {
    endpoint = await startEmbeddingEndpoint();
    stack = await startStack({
      env: { EMBEDDER: "openai", EMBEDDING_URL: endpoint.url, EMBEDDING_DIMENSIONS: "4" },
    });
    await importOffers(stack, { first: "Near the harbour" });
    await until(async () => (await idsOf("nearby")).includes("first"));
  });
  afterEach(() => {
    endpoint.mood = "well";
  });
  afterAll(async () => {
    await stack.stop();
    await endpoint.close();
  });

  const idsOf = async (query: string) => {
    const { json } = await ask(stack, query);
    const matches = (json["matches"] ?? []) as { offer: { id: string } }[];
    return matches.map(({ offer }) => offer.id);
  };
  const found = async (title: string) => {
    const { status, json } = await post(stack, "/search/v2/search", { title });
    return status === 200 ? (json["offers"] as { id: string }[]).map(({ id }) => id) : [];
  };

  const moods: readonly (readonly [EndpointMood, string])[] = [
    ["failing", "answers with status 500"],
    ["never", "does not answer in time"],
    ["short", "gives vectors of another dimension"],
  ];
  it.each(moods)("is %s: 502, other searches go on, and the queue catches up", async (mood) => {
    endpoint.mood = mood;
    const { status, json } = await ask(stack, "nearby");
    expect({ status, error: json["error"] }).toEqual({ status: 502, error: "UPSTREAM_FAILED" });
    await importOffers(stack, { [mood]: `Near ${mood}ville` });
    await until(async () => (await found(`${mood}ville`)).includes(mood));
    expect((await ask(stack, "nearby")).status).toBe(502);
    expect((await fetch(`${stack.gatewayUrl}/health`)).status).toBe(200);
    endpoint.mood = "well";
    await until(async () => (await idsOf("nearby")).includes(mood));
    expect(await idsOf("nearby")).toContain("first");
  });
});

it("answers 503 when no embedding is configured", async () => {
  const stack = await startStack({ env: { EMBEDDER: "none" } });
  const { status, json } = await ask(stack, "nearby");
  await stack.stop();
  expect({ status, error: json["error"] }).toEqual({ status: 503, error: "UNAVAILABLE" });
});

it("does not start when Typesense is to embed but there is none", async () => {
  await expect(startStack({ env: { EMBEDDER: "typesense" } })).rejects.toThrow("TYPESENSE_URL");
});

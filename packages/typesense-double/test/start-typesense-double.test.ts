import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/json.ts";
import { startTypesenseDouble } from "../src/start-typesense-double.ts";
import type { TypesenseDouble } from "../src/start-typesense-double.ts";

let double: TypesenseDouble;

beforeEach(async () => {
  double = await startTypesenseDouble({ apiKey: "key" });
});
afterEach(() => double.close());

async function call(method: string, path: string, body?: unknown): Promise<[number, string]> {
  const response = await fetch(`${double.url}${path}`, {
    method,
    headers: { "x-typesense-api-key": "key" },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return [response.status, await response.text()];
}

const games = [
  { id: "hl", title: "Half-Life", tags: ["fps"], price: 999, vector: [1, 0] },
  { id: "hl2", title: "Half-Life 2", tags: ["fps", "physics"], price: 999, vector: [0.9, 0.1] },
  { id: "portal", title: "Portal", tags: ["puzzle", "physics"], price: 500, vector: [0, 1] },
  { id: "sad", title: "Sad :(", tags: [], price: 1 },
];

async function loadGames(): Promise<void> {
  await call("POST", "/collections", {
    name: "games",
    fields: [
      { name: "title", type: "string" },
      { name: "tags", type: "string[]", facet: true },
      { name: "price", type: "int32", facet: true },
      { name: "vector", type: "float[]", num_dim: 2, optional: true },
    ],
  });
  const lines = games.map((game) => JSON.stringify(game)).join("\n");
  await call("POST", "/collections/games/documents/import", lines);
}

async function search(parameters: Record<string, string>): Promise<JsonObject> {
  const query = new URLSearchParams(parameters).toString();
  const [, text] = await call("GET", `/collections/games/documents/search?${query}`);
  return JSON.parse(text) as JsonObject;
}

async function foundIds(parameters: Record<string, string>): Promise<string[]> {
  const { hits } = await search(parameters);
  return (hits as { document: { id: string } }[]).map((hit) => hit.document.id);
}

describe("a search of the double", () => {
  beforeEach(loadGames);

  it("finds by prefix, by typo, joined and split words, and marks what it found", async () => {
    expect(await foundIds({ q: "port", query_by: "title" })).toEqual(["portal"]);
    expect(await foundIds({ q: "protal", query_by: "title" })).toEqual(["portal"]);
    expect(await foundIds({ q: "half life", query_by: "title" })).toEqual(["hl", "hl2"]);
    expect(await search({ q: "portal", query_by: "title" })).toMatchObject({
      hits: [{ highlights: [{ field: "title", snippet: "<mark>Portal</mark>" }] }],
    });
  });

  it("lets an unquoted value widen a filter, and a quoted title swallow what follows", async () => {
    expect(await foundIds({ q: "*", filter_by: "title:=x || id:*" })).toHaveLength(4);
    expect(await foundIds({ q: "*", filter_by: "title:=`x || id:*`" })).toEqual([]);
    const swallowed = "title:!=`Sad :(` && price:999";
    expect(await foundIds({ q: "*", filter_by: swallowed })).toHaveLength(4);
  });

  it("tries four words of a prefix in a filter and misses the others", async () => {
    const more = ["Ca", "Cb", "Cc", "Cd", "Ce"].map((title) => ({ title, tags: [], price: 2 }));
    const lines = more.map((game) => JSON.stringify(game)).join("\n");
    await call("POST", "/collections/games/documents/import", lines);
    expect(await foundIds({ q: "*", filter_by: "title:c*" })).toHaveLength(4);
  });

  it("counts facets over everything found, and groups by value", async () => {
    const answer = await search({ q: "*", facet_by: "tags", group_by: "price", per_page: "1" });
    expect(answer).toMatchObject({
      found: 3,
      found_docs: 4,
      grouped_hits: [{ group_key: [1] }],
      facet_counts: [{ counts: [{ value: "physics", count: 2 }, {}, {}] }],
    });
  });

  it("sorts by the nearest vector and leaves documents without one out", async () => {
    const near = { q: "*", vector_query: "vector:([0, 1], k: 2)" };
    expect(await foundIds(near)).toEqual(["portal", "hl2"]);
    expect(await foundIds({ q: "*", vector_query: "vector:([], id: hl)" })).toEqual([
      "hl2",
      "portal",
    ]);
  });

  it("sorts by filters, and counts facets in ranges and in the order of their names", async () => {
    const cases = "_eval([(tags:=puzzle):3, (tags:=physics && price:>1):2]):desc,price:asc";
    expect(await foundIds({ q: "*", sort_by: cases })).toEqual(["portal", "hl2", "sad", "hl"]);
    expect(await foundIds({ q: "*", sort_by: "_eval(price:1):desc" })).toEqual([
      "sad",
      "portal",
      "hl2",
      "hl",
    ]);
    const facets = "price(cheap:[0, 500], dear:[500, 1000]),tags(sort_by: _alpha:asc)";
    expect(await search({ q: "*", facet_by: facets })).toMatchObject({
      facet_counts: [
        {
          counts: [
            { value: "dear", count: 3 },
            { value: "cheap", count: 1 },
          ],
        },
        { counts: [{ value: "fps" }, { value: "physics" }, { value: "puzzle" }] },
      ],
    });
  });

  it("sorts whole titles before longer ones, then the newest", async () => {
    expect(await foundIds({ q: "half-life", query_by: "title", prefix: "false" })).toEqual([
      "hl",
      "hl2",
    ]);
    expect(await foundIds({ q: "*", sort_by: "price:desc" })).toEqual([
      "hl2",
      "hl",
      "portal",
      "sad",
    ]);
  });
});

describe("collections and aliases of the double", () => {
  beforeEach(loadGames);

  it("are changed, listed, reached by alias and deleted", async () => {
    await call("PUT", "/aliases/live", { collection_name: "games" });
    const change = { fields: [{ name: "year", type: "int32", optional: true }] };
    expect((await call("PATCH", "/collections/live", change))[0]).toBe(200);
    expect((await call("GET", "/collections"))[1]).toContain('"year"');
    expect((await call("GET", "/collections/live/documents/portal"))[0]).toBe(200);
    expect((await call("DELETE", "/collections/live"))[0]).toBe(200);
    expect((await call("GET", "/collections/live"))[0]).toBe(404);
  });

  it("export the documents that a filter leaves, one a line", async () => {
    const [, lines] = await call("GET", "/collections/games/documents/export?filter_by=price:999");
    expect(lines.split("\n").map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: "hl" },
      { id: "hl2" },
    ]);
  });
});

describe("auto-embedding fields of the double", () => {
  const embed = { from: ["title"], model_config: { model_name: "ts/e5-small" } };
  const schema = {
    name: "texts",
    fields: [
      { name: "title", type: "string", optional: true },
      { name: "meaning", type: "float[]", optional: true, embed },
    ],
  };
  const put = async (document: object) =>
    await call("POST", "/collections/texts/documents?action=emplace", JSON.stringify(document));
  const near = async (q: string, more = "") =>
    await call("GET", `/collections/texts/documents/search?q=${q}&query_by=meaning${more}`);
  const idsOf = (body: string) =>
    (JSON.parse(body) as { hits: { document: { id: string } }[] }).hits.map(
      ({ document }) => document.id,
    );
  beforeEach(async () => {
    await call("DELETE", "/collections/texts");
    await call("POST", "/collections", JSON.stringify(schema));
    await put({ id: "a", title: "a quiet harbour" });
    await put({ id: "b", title: "loud tanks" });
    await put({ id: "c" });
  });

  it("rank by the text of a query, and leave out what has no text", async () => {
    expect(idsOf((await near("quiet%20harbour"))[1])).toEqual(["a", "b"]);
    const one = await near("loud", "&vector_query=meaning:([],%20k:1)");
    expect(idsOf(one[1])).toEqual(["b"]);
  });

  it("embed a document again only when its text changes", async () => {
    const before = double.embeddedTexts.length;
    await put({ id: "a", other: 1 });
    await put({ id: "a", title: "a quiet harbour" });
    expect(double.embeddedTexts.length).toBe(before);
    await put({ id: "a", title: "anything else" });
    expect(double.embeddedTexts.length).toBe(before + 1);
  });

  it("refuse documents and queries while the model fails, and nothing else", async () => {
    double.failEmbedding();
    expect((await put({ id: "d", title: "new" }))[0]).toBe(400);
    expect((await near("quiet"))[0]).toBe(400);
    expect((await put({ id: "a", other: 2 }))[0]).toBe(201);
    double.clearFaults();
    expect((await put({ id: "d", title: "new" }))[0]).toBe(201);
  });

  it("cannot be made of what is no text, nor asked beside another vector", async () => {
    const wrong = { name: "wrong", fields: [{ name: "v", type: "float[]", embed }] };
    expect((await call("POST", "/collections", JSON.stringify(wrong)))[0]).toBe(400);
    expect((await near("quiet", ",meaning"))[0]).toBe(400);
  });
});

describe("faults of the double", () => {
  beforeEach(loadGames);

  it("fail as often as asked, and only the requests that match", async () => {
    double.fail({ status: 503, times: 2, matching: /search/u });
    const path = "/collections/games/documents/search?q=*";
    expect((await call("GET", "/health"))[0]).toBe(200);
    expect((await call("GET", path))[0]).toBe(503);
    expect((await call("GET", path))[0]).toBe(503);
    expect((await call("GET", path))[0]).toBe(200);
  });

  it("make health say so when everything fails", async () => {
    double.fail({ status: 503 });
    expect(await call("GET", "/health")).toEqual([503, '{"ok":false}']);
    double.clearFaults();
    expect(await call("GET", "/health")).toEqual([200, '{"ok":true}']);
  });

  it("hold answers back until they are cleared", async () => {
    double.delay(60_000, { matching: /health/u });
    const held = call("GET", "/health");
    await call("GET", "/collections");
    expect(await Promise.race([held, Promise.resolve("waiting")])).toBe("waiting");
    double.clearFaults();
    expect((await held)[0]).toBe(200);
  });

  it("refuse single lines of an import and write the others", async () => {
    double.rejectImportLines(({ id }) => id === "x" && { status: 422, message: "full" });
    const lines = ["x", "y"].map((id) => JSON.stringify({ ...games[2], id })).join("\n");
    const [status, answers] = await call("POST", "/collections/games/documents/import", lines);
    expect(status).toBe(200);
    expect(answers.split("\n").map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { success: false, code: 422 },
      { success: true },
    ]);
    expect((await call("GET", "/collections/games/documents/x"))[0]).toBe(404);
  });

  it("go away and come back on the same port with everything stored", async () => {
    await double.goAway();
    await expect(call("GET", "/health")).rejects.toThrow(TypeError);
    await double.comeBack();
    expect(await foundIds({ q: "*" })).toHaveLength(4);
  });
});

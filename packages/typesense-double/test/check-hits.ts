import { isDeepStrictEqual } from "node:util";
import { at, closeTo, contains, isObject } from "./json-matching.ts";
import type { Json } from "./vector.ts";

/** Whether what a search found is what is expected; undefined for an unknown expectation. */
export function checkHits(key: string, wanted: unknown, body: unknown): boolean | undefined {
  const hits = list(at(body, "/hits"));
  const ids = hits.map((hit) => at(hit, "/document/id"));
  const hitOf = (id: string) => hits[ids.indexOf(id)];
  const everyHit = (holds: (hit: unknown, value: unknown) => boolean) =>
    Object.entries(wanted as Json).every(([id, value]) => holds(hitOf(id), value));
  switch (key) {
    case "ids":
      return isDeepStrictEqual(ids, wanted);
    case "idsStart":
      return isDeepStrictEqual(ids.slice(0, list(wanted).length), wanted);
    case "idsUnordered":
      return isDeepStrictEqual(sorted(ids), sorted(list(wanted)));
    case "hits":
      return hits.length === wanted;
    case "documents":
      return everyHit((hit, value) => contains(value, at(hit, "/document")));
    case "documentKeys":
      return everyHit((hit, value) => sameNames(Object.keys(record(at(hit, "/document"))), value));
    case "highlightFields":
      return everyHit((hit, value) => {
        const fields = list(at(hit, "/highlights")).map((entry) => String(at(entry, "/field")));
        return sameNames([...new Set(fields)], value);
      });
    case "distances":
      return everyHit((hit, value) => closeTo(Number(value), at(hit, "/vector_distance"), 2e-6));
    case "fusion":
      return everyHit((hit, value) =>
        closeTo(Number(value), at(hit, "/hybrid_search_info/rank_fusion_score")),
      );
    default:
      return checkFacets(key, wanted, body) ?? checkGroups(key, wanted, body);
  }
}

function checkFacets(key: string, wanted: unknown, body: unknown): boolean | undefined {
  const facets = list(at(body, "/facet_counts"));
  const facetOf = (name: string) => facets.find((facet) => at(facet, "/field_name") === name);
  const countsOf = (name: string) => list(at(facetOf(name), "/counts"));
  const everyField = (holds: (name: string, value: unknown) => boolean) =>
    Object.entries(wanted as Json).every(([name, value]) => holds(name, value));
  switch (key) {
    case "facets":
    case "facetsPartial":
      return everyField((name, value) => {
        const counts = Object.fromEntries(
          countsOf(name).map((entry) => [String(at(entry, "/value")), at(entry, "/count")]),
        );
        return key === "facets" ? isDeepStrictEqual(counts, value) : contains(value, counts);
      });
    case "facetOrder":
      return everyField((name, value) => {
        const values = countsOf(name).map((entry) => at(entry, "/value"));
        return isDeepStrictEqual(values.slice(0, list(value).length), value);
      });
    case "facetFields":
      return isDeepStrictEqual(
        facets.map((facet) => at(facet, "/field_name")),
        wanted,
      );
    case "facetStats":
      return everyField((name, value) => contains(value, at(facetOf(name), "/stats")));
    default:
      return undefined;
  }
}

function checkGroups(key: string, wanted: unknown, body: unknown): boolean | undefined {
  const groups = list(at(body, "/grouped_hits"));
  if (key === "groupsCount") return groups.length === wanted;
  if (key !== "groups" && key !== "groupsStart") return undefined;
  const expected = list(wanted);
  if (key === "groups" && groups.length !== expected.length) return false;
  return expected.every((entry, index) => {
    const group = groups[index];
    const given = {
      key: at(group, "/group_key"),
      found: at(group, "/found"),
      ids: list(at(group, "/hits")).map((hit) => at(hit, "/document/id")),
    };
    return Object.entries(record(entry)).every(([name, value]) =>
      isDeepStrictEqual(given[name as keyof typeof given], value),
    );
  });
}

function sameNames(names: readonly string[], wanted: unknown): boolean {
  return isDeepStrictEqual(sorted(names), sorted(list(wanted)));
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Json {
  return isObject(value) ? value : {};
}

function sorted(values: readonly unknown[]): string[] {
  return values.map(String).toSorted();
}

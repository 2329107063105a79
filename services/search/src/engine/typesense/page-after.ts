import { unavailable } from "@storefront/rpc";
import type { PagePosition } from "../offer-search.ts";
import type { SortKey } from "./offer-conditions.ts";
import { searchCollections } from "./search-collections.ts";
import type { CollectionResult, CollectionSearch } from "./search-collections.ts";
import type { MultiSearch } from "./typesense-client.ts";

/** Offers read on either side of a page: writes since the previous page usually move it by fewer. */
const margin = 50;

/** Maximum searches for a page; each halves the range, or doubles the distance while it is open. */
const maxSearches = 40;

/** Ids of equally ranked offers in a position, in case some are deleted. */
const maxTied = 10;

/** A page, and the number of offers before it. */
export interface Page extends CollectionResult {
  readonly offset: number;
}

/** The document fields that {@link endOf} and {@link findPageAfter} read. */
export function fieldsOf(keys: readonly SortKey[]): string[] {
  return ["id", ...keys.flatMap(({ of, name }) => (of === "field" ? [name] : []))];
}

/** End of a page; undefined on the last one. */
export function endOf(page: Page, keys: readonly SortKey[]): PagePosition | undefined {
  const { documents, offset, found } = page;
  const last = documents.length - 1;
  if (last < 0 || offset + documents.length >= found) return undefined;
  const end = positionAt(page, keys, last);
  const before = Array.from({ length: Math.min(last, maxTied) }, (_, index) =>
    positionAt(page, keys, last - index - 1),
  );
  const untied = before.findIndex((position) => compare(position, end, keys) !== 0);
  const tied = untied < 0 ? before : before.slice(0, untied);
  return { ...end, offerIds: [end, ...tied].flatMap(({ offerIds }) => offerIds) };
}

/**
 * The page after a position. The server cannot filter by relevance or by an absent value, but returns any range of the
 * order, so the position is searched for around its old offset, in growing steps.
 *
 * @param search without offset and limit; includes the fields of `fieldsOf`
 * @throws ServiceError UNAVAILABLE also when the offers keep moving
 */
export async function findPageAfter(
  multiSearch: MultiSearch,
  search: CollectionSearch,
  { keys, after, limit }: { keys: readonly SortKey[]; after: PagePosition; limit: number },
): Promise<Page> {
  const size = limit + 2 * margin;
  let [first, end] = [0, Number.POSITIVE_INFINITY];
  let step = size;
  let offset = Math.max(0, after.offset + 1 - margin);
  for (let searches = 0; searches < maxSearches; searches++) {
    const [result] = await searchCollections(multiSearch, [{ ...search, offset, limit: size }]);
    const { length } = result.documents;
    const begin = placeAfter(result, keys, after);
    const isAtEnd = length < size;
    if (begin === 0 && offset > first) {
      // The position is before this range.
      end = offset;
      offset = Math.max(0, first > 0 ? Math.floor((first + end) / 2) : offset - step);
    } else if (begin < length && begin + limit > length && !isAtEnd) {
      offset += begin - margin;
    } else if (begin === length && !isAtEnd) {
      first = offset + length;
      offset = Number.isFinite(end) ? Math.floor((first + end) / 2) : offset + step;
    } else {
      const part = <Each>(list: readonly Each[]) => list.slice(begin, begin + limit);
      return {
        ...result,
        documents: part(result.documents),
        scores: part(result.scores),
        matches: part(result.matches),
        offset: offset + begin,
      };
    }
    step *= 2;
  }
  throw unavailable("typesense", new Error(`no page was found by ${maxSearches} searches`));
}

/** The index of the first document after a position; the number of documents when there is none. */
function placeAfter(
  result: Pick<CollectionResult, "documents" | "scores">,
  keys: readonly SortKey[],
  after: PagePosition,
): number {
  const orders = result.documents.map((_, index) =>
    compare(positionAt({ ...result, offset: 0 }, keys, index), after, keys),
  );
  // The server's order of equal offers is arbitrary.
  const known = result.documents.findLastIndex(
    ({ id }, index) => orders[index] === 0 && after.offerIds.includes(String(id)),
  );
  if (known >= 0) return known + 1;
  const place = orders.findIndex((order) => order >= 0);
  return place < 0 ? orders.length : place;
}

function positionAt(
  { documents, scores, offset }: Pick<Page, "documents" | "scores" | "offset">,
  keys: readonly SortKey[],
  index: number,
): PagePosition {
  const document = documents[index] ?? {};
  const field = keys.find(({ of }) => of === "field");
  const key = field && document[field.name];
  return {
    key: typeof key === "number" ? key : null,
    relevance: scores[index] ?? "0",
    offerIds: [String(document["id"])],
    offset: offset + index,
  };
}

/** Negative when the first position precedes the second; 0 when no key orders them. */
function compare(left: PagePosition, right: PagePosition, keys: readonly SortKey[]): number {
  let order = 0;
  let idBytes = 0;
  for (const { of, isAscending } of keys) {
    if (of === "id") idBytes += 8;
    else if (of === "text") order ||= Number(BigInt(right.relevance) - BigInt(left.relevance));
    else order ||= compareKeys(left.key, right.key, isAscending);
  }
  const bytesOf = ({ offerIds: [id = ""] }: PagePosition) => {
    const bytes = Buffer.alloc(idBytes);
    bytes.write(id);
    return bytes;
  };
  return order || Buffer.compare(bytesOf(left), bytesOf(right));
}

/** Missing values are last in both directions. */
function compareKeys(left: number | null, right: number | null, isAscending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return isAscending ? left - right : right - left;
}

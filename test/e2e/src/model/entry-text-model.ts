import type { Catalogue } from "./catalogue.ts";
import type { LoggedEntry } from "./changelog-model.ts";
import type { ModelChange } from "./changes.ts";

/** Symbols that look like letters but are none. */
const signs = /[™℠®©℗]/gu;
const accents = /[\u0300-\u036f]/gu;

/** Words to search for: letters only, or ids; dates and sizes have many spellings. */
const askedPattern = /^(?:[a-z]{3,40}|[a-z0-9]{12,40})$/;

/**
 * Finds the entries that have the words of a query (`searchEntries`): in the titles and ids of their records
 * and in the text of their changes. All words must occur; the last may be a prefix.
 */
export class EntryTextModel {
  readonly #words = new Map<LoggedEntry, ReadonlySet<string>>();
  readonly #entriesWith = new Map<string, Set<LoggedEntry>>();
  readonly #sortedWords: readonly string[];

  constructor(entries: readonly LoggedEntry[], catalogue: Catalogue) {
    const assets = Map.groupBy(catalogue.asset.values(), ({ artifactId }) => artifactId);
    for (const entry of entries) {
      const words = new Set(
        [...contextTexts(entry, catalogue, assets), ...changeTexts(entry)].flatMap(wordsIn),
      );
      this.#words.set(entry, words);
      for (const word of words) {
        const others = this.#entriesWith.get(word);
        if (others === undefined) this.#entriesWith.set(word, new Set([entry]));
        else others.add(entry);
      }
    }
    this.#sortedWords = [...this.#entriesWith.keys()].toSorted();
  }

  /** The words of an entry that can be searched for. */
  wordsOf(entry: LoggedEntry): string[] {
    return [...(this.#words.get(entry) ?? [])].filter((word) => askedPattern.test(word));
  }

  /** Returns a predicate for the entries that match a query. */
  matcher(query: string): (entry: LoggedEntry) => boolean {
    const words = wordsIn(query);
    const last = words.pop() ?? "";
    const withLast = new Set<LoggedEntry>();
    for (const word of this.#wordsBeginningWith(last)) {
      for (const entry of this.#entriesWith.get(word) ?? []) withLast.add(entry);
    }
    return (entry) =>
      withLast.has(entry) && words.every((word) => this.#words.get(entry)?.has(word) === true);
  }

  *#wordsBeginningWith(prefix: string): Generator<string> {
    let [low, high] = [0, this.#sortedWords.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sortedWords[middle] ?? "") < prefix) low = middle + 1;
      else high = middle;
    }
    for (let at = low; this.#sortedWords[at]?.startsWith(prefix) === true; at++) {
      yield this.#sortedWords[at] ?? "";
    }
  }
}

/**
 * Maximal runs of letters and digits, without regard to case and accents; those with only signs
 * between them, as in `half-life`, also as one word.
 */
function wordsIn(text: string): string[] {
  const plain = text.replace(signs, "").normalize("NFKD").replace(accents, "").toLowerCase();
  return plain.split(/\s+/u).flatMap((chunk) => {
    const runs = chunk.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    return runs.length > 1 ? [...runs, runs.join("")] : runs;
  });
}

const titlesAndIds = [
  "id",
  "title",
  "namespace",
  "displayName",
  "artifactId",
  "appName",
  "buildVersion",
];

function contextTexts(
  { contextType, contextId }: LoggedEntry,
  catalogue: Catalogue,
  assets: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>,
): string[] {
  const records: readonly (Readonly<Record<string, unknown>> | undefined)[] =
    contextType === "asset"
      ? (assets.get(contextId) ?? [])
      : [catalogue[contextType].get(contextId)];
  // An asset's platform is part of its identity.
  const members = contextType === "asset" ? [...titlesAndIds, "platform"] : titlesAndIds;
  const values = records.flatMap((record) => members.map((member) => record?.[member]));
  return [contextId, ...textsIn(values)];
}

function changeTexts({ changes }: LoggedEntry): string[] {
  return (changes as readonly ModelChange[]).flatMap(({ field, oldValue, newValue }) =>
    textsIn([field, oldValue, newValue]),
  );
}

/** Every text in a value at any depth. */
function textsIn(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "object") return Object.values(value).flatMap(textsIn);
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

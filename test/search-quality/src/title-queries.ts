import type { OfferDocument } from "@storefront/service-search";

/** What somebody types, and the title that is meant. */
export interface TitleQuery {
  readonly text: string;
  readonly title: string;
  readonly kind: "misspelt" | "plain" | "prefix";
}

const kinds = ["misspelt", "plain", "misspelt", "prefix", "misspelt"] as const;

/** A key of titles that differ in case and punctuation only. */
export function titleKey(title: string): string {
  return title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * Queries for base games spread over a catalogue: three in five with a letter wrong in the title's
 * longest word, others without case and punctuation, or cut short. The same for the same catalogue.
 */
export function titleQueries(offers: readonly OfferDocument[], count: number): TitleQuery[] {
  const titles = offers
    .filter(({ offerType }) => offerType === "BASE_GAME")
    .map(({ title }) => title ?? "")
    .filter((title) => /[a-z]{5}/i.test(title) && /^[ -~™®]+$/.test(title))
    .toSorted();
  const chosen = [...new Set(titles)];
  return Array.from({ length: count }, (_, n) => {
    const title = chosen[Math.floor((n * chosen.length) / count)] ?? "";
    const kind = kinds[n % kinds.length] ?? "plain";
    return { title, kind, text: typed(titleKey(title.replace(/[™®]/g, "")), kind, n) };
  });
}

function typed(key: string, kind: TitleQuery["kind"], n: number): string {
  switch (kind) {
    case "plain":
      return key;
    case "prefix":
      return key.slice(0, Math.max(key.length - 2, 5)).trim();
    case "misspelt": {
      const longest = key.split(" ").toSorted((a, b) => b.length - a.length)[0] ?? "";
      return key.replace(longest, misspell(longest, n));
    }
    default:
      return kind satisfies never;
  }
}

/** Swaps, leaves out, doubles or replaces a letter past the first two. */
function misspell(word: string, n: number): string {
  const at = 2 + (n % (word.length - 3));
  const [before, letter = "", next = "", after] = [
    word.slice(0, at),
    word[at],
    word[at + 1],
    word.slice(at + 2),
  ];
  switch (Math.floor(n / kinds.length) % 4) {
    case 0:
      return `${before}${next}${letter}${after}`;
    case 1:
      return `${before}${next}${after}`;
    case 2:
      return `${before}${letter}${letter}${next}${after}`;
    default:
      return `${before}${letter === "e" ? "a" : "e"}${next}${after}`;
  }
}

import { Seeded } from "@storefront/testkit";
import type { EntryTextModel } from "./model/entry-text-model.ts";
import type { ChangelogModel } from "./model/changelog-model.ts";
import type { Question } from "./questions.ts";

/** Searches of the changelog for words that occur in it: one word, several words, and a prefix. */
export function entryQuestions(
  model: ChangelogModel,
  texts: EntryTextModel,
  { count, seed }: { count: number; seed: number },
): Question[] {
  const random = new Seeded(seed);
  return Array.from({ length: count }, (_, index): Question => {
    const entry = random.pick(model.entries);
    const words = random.some(texts.wordsOf(entry), index % 4 === 0 ? 1 : 3, 1);
    const type = random.chance(0.3) ? random.pick([entry.contextType, "offer"]) : undefined;
    const id = random.chance(0.2) ? entry.contextId : undefined;
    const [page, limit] = [1 + random.below(3), 1 + random.below(50)];
    const last = words.at(-1) ?? "";
    const isCut = random.chance(0.2);
    const query = [...words.slice(0, -1), isCut ? last.slice(0, -1) : last].join(" ");
    const parameters = new URLSearchParams({ query, page: String(page), limit: String(limit) });
    if (type !== undefined) parameters.set("type", type);
    if (id !== undefined) parameters.set("id", id);
    return {
      path: `/search/changelog?${parameters.toString()}`,
      expected: model.searchEntries(
        { type, id, matches: texts.matcher(query), query },
        page,
        limit,
      ),
    };
  });
}

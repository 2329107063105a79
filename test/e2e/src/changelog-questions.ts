import type { Catalogue } from "./model/catalogue.ts";
import type { ChangelogModel } from "./model/changelog-model.ts";
import type { Expected } from "./model/model.ts";
import type { Replay } from "./model/replay.ts";
import { sample } from "./questions.ts";
import type { Question } from "./questions.ts";

/** Questions about the changelogs of some hundred records, and about unknown ids. */
export function changelogQuestions(catalogue: Catalogue, model: ChangelogModel): Question[] {
  const sandboxes = [...sample(catalogue.sandbox.keys(), 60), "no-such"];
  const items = [...sample(catalogue.item.keys(), 120), "no-such"];
  const subjects = sample(model.entries, 120);
  return [
    ...sandboxes.flatMap((id): Question[] => [
      { path: `/sandboxes/${id}/changelog`, expected: model.listSandboxEntries(id, 1, 10) },
      {
        path: `/sandboxes/${id}/changelog?limit=100&page=2`,
        expected: model.listSandboxEntries(id, 2, 50),
      },
    ]),
    ...items.flatMap((id): Question[] => [
      { path: `/items/${id}/changelog?limit=50`, expected: model.listItemEntries(id, 1, 50) },
      { path: `/items/${id}/changelog?limit=3&page=2`, expected: model.listItemEntries(id, 2, 3) },
    ]),
    ...subjects.flatMap(({ contextType: type, contextId: id }): Question[] => [
      {
        path: `/search/changelog?type=${type}&id=${id}&query=%20`,
        expected: model.searchEntries({ type, id }, 1, 10),
      },
      {
        path: `/search/changelog?id=${id}&limit=2&page=2`,
        expected: model.searchEntries({ id }, 2, 2),
      },
    ]),
    ...["offer", "item", "asset", "build", "sandbox", "no-such"].map((type): Question => ({
      path: `/search/changelog?type=${type}&limit=1000&page=3`,
      expected: model.searchEntries({ type }, 3, 50),
    })),
    ...listQuestions(model),
  ];
}

function listQuestions(model: ChangelogModel): Question[] {
  const { entries } = model;
  const pages = [1, 2, Math.ceil(entries.length / 100), Math.ceil(entries.length / 50)];
  const starts = sample(entries, 20);
  return [
    { path: "/search/changelog", expected: model.searchEntries({}, 1, 10) },
    ...pages.map((page) => ({
      path: `/changelist?limit=50&page=${page}`,
      expected: model.listEntries(page, 50),
    })),
    ...starts.flatMap(({ id, timestamp }): Question[] => {
      const next = entries.findIndex((entry) => entry.id === id) + 1;
      const position = model.positionSince(timestamp);
      return [
        { path: `/changelist/${id}`, expected: model.getEntry(id) },
        { path: `/changelist?after=${id}`, expected: model.listEntriesFrom(next, 1, 10) },
        {
          path: `/changelist?after=${id}&limit=7&page=3`,
          expected: model.listEntriesFrom(next, 3, 7),
        },
        {
          path: `/changelist?since=${timestamp}&limit=50`,
          expected: model.listEntriesFrom(position, 1, 50),
        },
      ];
    }),
    { path: "/changelist/no-such", expected: { status: 404 } },
    { path: "/changelist?after=no-such", expected: { status: 404 } },
    { path: "/changelist?since=yesterday", expected: { status: 400 } },
    { path: "/search/changelog?limit=50&page=202", expected: { status: 400 } },
  ];
}

/** Price histories of the offers whose prices changed, in the countries of their regions. */
export function priceHistoryQuestions(
  { prices }: Replay,
  catalogue: Catalogue,
  countryOf: ReadonlyMap<string, string>,
): Question[] {
  const changed = [...prices].filter(([, states]) => states.length > 1);
  const some = sample([...prices], 60);
  return [...changed, ...some].flatMap(([key, states]): Question[] => {
    const [offerId = "", region = ""] = key.split(" ");
    const expected = (page: number, limit: number): Expected => {
      if (!catalogue.offer.has(offerId)) return { status: 404 };
      const newest = states.toReversed().map(({ price, updatedAt }) => {
        const { currencyCode, originalPrice, discountPrice } = price;
        const discount = originalPrice - discountPrice;
        const point = { currencyCode, originalPrice, discountPrice, discount };
        return { offerId, region, price: point, updatedAt };
      });
      const elements = newest.slice((page - 1) * limit, page * limit);
      return { status: 200, body: { elements, page, limit, total: states.length } };
    };
    const path = `/offers/${offerId}/price-history?country=${countryOf.get(region)}`;
    return [
      { path, expected: expected(1, 50) },
      { path: `${path}&limit=4&page=2`, expected: expected(2, 4) },
    ];
  });
}

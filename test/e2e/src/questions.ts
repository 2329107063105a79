import type { Catalogue } from "./model/catalogue.ts";
import type { Expected, Model } from "./model/model.ts";

/** A request and its expected response. */
export interface Question {
  path: string;
  /** Body of a POST; a GET without. */
  body?: unknown;
  expected: Expected;
}

const locales = ["en-US", "de-DE", "ja-JP", "zh-Hant-TW", "es-MX"];
const countries = ["US", "DE", "JP", "CN", "KR", "BR", "TR", "RU", "AE", "MX"];

/** Returns the given values in turn. */
function rotation<Value>(values: readonly [Value, ...Value[]] | readonly Value[]): () => Value {
  let next = 0;
  return () => {
    const value = values[next++ % values.length];
    if (value === undefined) throw new Error("no values to rotate");
    return value;
  };
}

/** Evenly spread members of a list, and all of those that are odd. */
export function sample<Value>(
  values: Iterable<Value>,
  count: number,
  isOdd: (value: Value) => boolean = () => false,
): Value[] {
  const all = [...values];
  const step = Math.max(1, Math.floor(all.length / count));
  return all.filter((value, index) => index % step === 0 || isOdd(value));
}

const bidi = /[\u200E\u200F\u202A-\u202E]/u;

/**
 * Questions about some hundred records of a catalogue, including odd ones: duplicate
 * images, no seller, bidi titles, black- and whitelists, texts with nulls, prices missing, unknown
 * items; and about unknown ids.
 */
export function questionsAbout(catalogue: Catalogue, model: Model): Question[] {
  const locale = rotation(locales);
  const country = rotation(countries);
  const offers = sample(catalogue.offer.values(), 120, (offer) => {
    const images = (offer["keyImages"] as { type: string; url: string }[] | undefined) ?? [];
    return (
      new Set(images.map(({ type, url }) => `${type} ${url}`)).size < images.length ||
      (offer.seller !== undefined && offer.seller !== null && offer.seller.id === null) ||
      (offer.countriesWhitelist?.length ?? 0) > 0 ||
      (offer.collectionOfferIds?.length ?? 0) > 0
    );
  });
  const bidiOffers = [...catalogue.offer.values()].filter(({ title }) => bidi.test(title ?? ""));
  const texts = sample(catalogue.offerText.values(), 60, (text) =>
    Object.values(text).includes(null),
  );
  const items = sample(catalogue.item.values(), 80);
  const offeredItemIds = [...catalogue.offer.values()].flatMap((offer) => offer.items ?? []);
  const unknownItems = offeredItemIds.filter(({ id }) => !catalogue.item.has(id)).slice(0, 10);
  const sandboxes = sample(catalogue.sandbox.values(), 40);
  return [
    ...[...offers, ...bidiOffers.slice(0, 10)]
      .map(({ id }) => id)
      // The second one has a price.
      .concat("no-such", "odd-unknown")
      .map((id) => ({ id, inCountry: country(), inLocale: locale() }))
      .flatMap(({ id, inCountry, inLocale }): Question[] => [
        {
          path: `/offers/${id}?country=${inCountry}&locale=${inLocale}`,
          expected: model.getOffer(id, inCountry, inLocale),
        },
        {
          path: `/offers/${id}/price?country=${inCountry}`,
          expected: model.getPrice(id, inCountry),
        },
        {
          path: `/offers/${id}/collection?country=${inCountry}&locale=${inLocale}`,
          expected: model.listCollection(id, inCountry, inLocale),
        },
      ]),
    ...texts.map((text): Question => ({
      path: `/offers/${text.offerId}?locale=${text.locale}`,
      expected: model.getOffer(text.offerId, "US", text.locale),
    })),
    ...soldNowhere(catalogue, model),
    ...[...items.map(({ id }) => id), ...unknownItems.map(({ id }) => id), "no-such"].flatMap(
      (id): Question[] => {
        const inLocale = locale();
        return [
          { path: `/items/${id}`, expected: model.getItem(id) },
          { path: `/items/${id}/builds`, expected: model.listItemBuilds(id) },
          {
            path: `/items/${id}/offer?locale=${inLocale}`,
            expected: model.getItemOffer(id, inLocale),
          },
        ];
      },
    ),
    // The last one has no record, but offers name it.
    ...[...sandboxes.map(({ id }) => id), "no-such", "odd-elsewhere"].flatMap((id) =>
      sandboxQuestions(id, model, locale()),
    ),
    ...reviewQuestions(catalogue, model),
    ...listQuestions(catalogue, model),
  ];
}

/** Reviews of the most reviewed offers, of some others including the odd ones, and of an unknown one. */
function reviewQuestions(catalogue: Catalogue, model: Model): Question[] {
  const counts = new Map<string, number>();
  for (const { offerId } of catalogue.review.values()) {
    if (typeof offerId === "string") counts.set(offerId, (counts.get(offerId) ?? 0) + 1);
  }
  const ids = [...counts].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
  const others = sample(ids.slice(10), 40, (id) => id.startsWith("odd-"));
  return [...ids.slice(0, 10), ...others, "no-such"].flatMap((id) => [
    { path: `/offers/${id}/reviews`, expected: model.listReviews(id, 1, 10) },
    { path: `/offers/${id}/reviews?limit=100&page=2`, expected: model.listReviews(id, 2, 25) },
    {
      path: `/offers/${id}/reviews?verified=true&limit=25`,
      expected: model.listReviews(id, 1, 25, (verified) => verified),
    },
    {
      path: `/offers/${id}/reviews?verified=false&limit=2&page=2`,
      expected: model.listReviews(id, 2, 2, (verified) => !verified),
    },
  ]);
}

/** Prices in the countries that offers are not sold in, or only sold in. */
function soldNowhere(catalogue: Catalogue, model: Model): Question[] {
  const listed = [...catalogue.offer.values()].flatMap(
    ({ id, countriesBlacklist, countriesWhitelist }) =>
      [...(countriesBlacklist ?? []), ...(countriesWhitelist ?? [])].map((code) => ({ id, code })),
  );
  return sample(
    listed.filter(({ code }) => /^[A-Z]{2}$/.test(code)),
    30,
  ).map(({ id, code }) => ({
    path: `/offers/${id}/price?country=${code}`,
    expected: model.getPrice(id, code),
  }));
}

function sandboxQuestions(id: string, model: Model, locale: string): Question[] {
  const everything = { page: 1, limit: 100, locale, offerTypes: [], title: "" };
  const some = { page: 2, limit: 3, locale, offerTypes: ["BASE_GAME", "DLC", "ADD_ON"], title: "" };
  const beyond = { ...everything, page: 50 };
  const named = { page: 1, limit: 10, locale: "en-US", offerTypes: [], title: "tHe" };
  return [
    { path: `/sandboxes/${id}`, expected: model.getSandbox(id) },
    { path: `/sandboxes/${id}/assets`, expected: model.listAssets(id, 1, 10, []) },
    {
      path: `/sandboxes/${id}/assets?platform=windows,%20MAC&limit=2&page=2`,
      expected: model.listAssets(id, 2, 2, ["windows", "mac"]),
    },
    {
      path: `/sandboxes/${id}/offers?limit=1000&locale=${locale}`,
      expected: model.listSandboxOffers(id, everything),
    },
    {
      path: `/sandboxes/${id}/offers?offerType=BASE_GAME,DLC,ADD_ON&page=2&limit=3&locale=${locale}`,
      expected: model.listSandboxOffers(id, some),
    },
    {
      path: `/sandboxes/${id}/offers?limit=100&page=50&locale=${locale}`,
      expected: model.listSandboxOffers(id, beyond),
    },
    {
      path: `/sandboxes/${id}/offers?title=tHe`,
      expected: model.listSandboxOffers(id, named),
    },
  ];
}

function listQuestions(catalogue: Catalogue, model: Model): Question[] {
  const last = Math.ceil(catalogue.item.size / 50);
  const pages: [number, number][] = [
    [1, 10],
    [1, 50],
    [2, 50],
    [Math.ceil(last / 2), 50],
    [last, 50],
    [last + 1, 50],
  ];
  const ids = sample(catalogue.offer.keys(), 60);
  const submitted = [...ids, "no-such", ids[0] ?? "no-such", "none-such", "no-such"];
  return [
    ...pages.map(([page, limit]): Question => ({
      path: `/items?page=${page}&limit=${limit}`,
      expected: model.listItems(page, limit),
    })),
    ...["US", "DE", "JP"].flatMap((country): Question[] => [
      {
        path: `/offers/featured-discounts?country=${country}&locale=de-DE`,
        expected: model.listFeaturedDiscounts(country, "de-DE"),
      },
      {
        path: `/free-games/mobile?country=${country}&locale=fr-FR`,
        expected: model.listMobileFreeGames(country, "fr-FR"),
      },
    ]),
    {
      path: "/offers/exists",
      body: { offers: submitted },
      expected: model.checkOffersExist(submitted),
    },
    { path: "/offers/exists", body: { offers: [] }, expected: model.checkOffersExist([]) },
    ...slugQuestions(catalogue, model),
  ];
}

function slugQuestions(catalogue: Catalogue, model: Model): Question[] {
  const slugs = sample(
    [...catalogue.offer.values()].flatMap(({ productSlug, urlSlug, offerMappings }) =>
      [productSlug, urlSlug, ...(offerMappings ?? []).map(({ pageSlug }) => pageSlug)].filter(
        (slug) => typeof slug === "string" && slug !== "",
      ),
    ),
    80,
    (slug) => typeof slug === "string" && slug.startsWith("odd-"),
  ).flatMap((slug) => (typeof slug === "string" ? [slug, slug.replace(/\/home$/, "")] : []));
  const submitted = [...slugs, "no-such-slug", slugs[0] ?? "no-such-slug"];
  return [
    { path: "/offers/slugs", body: { slugs: submitted }, expected: model.resolveSlugs(submitted) },
  ];
}

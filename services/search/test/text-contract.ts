import { describe, expect, it } from "vitest";
import { everything } from "../src/domain/offer-filter.ts";
import { maxSnippetLength } from "../src/domain/highlights.ts";
import type { OfferDocument } from "../src/engine/index-documents.ts";
import type { OfferFilter, OfferHits, OfferSearch } from "../src/engine/offer-search.ts";
import { offerOf } from "./support/offer-of.ts";

/** An engine whose offers can be replaced. */
export interface OffersFixture {
  /** Default all offers, in the region US. */
  readonly find: (search: Partial<OfferSearch>) => Promise<OfferHits>;
  /** Replaces all offers by these; the words of the former ones remain known. */
  readonly replaceOffers: (offers: readonly OfferDocument[]) => Promise<void>;
}

/** The guarantees of searches by words of every search engine. */
export function describeTextContract({ find, replaceOffers }: OffersFixture): void {
  describe("by words", () => {
    const findText = async (text: string, filter: Partial<OfferFilter> = {}) => {
      const order = { key: "relevance", isAscending: false } as const;
      return (await find({ filter: { ...everything, ...filter, text }, order })).offerIds;
    };

    it("ranks the exact title first, then its beginning, words in it, makers, tags, description", async () => {
      await replaceOffers([
        offerOf("tags", { title: "Alpha", tagIds: ["1"], tagNames: ["Iron Dawn"] }),
        offerOf("begins", { title: "Iron Dawn Chronicles" }),
        offerOf("describes", { title: "Beta", description: "An iron ship at dawn." }),
        offerOf("exact", { title: "IRON DAWN™" }),
        offerOf("maker", { title: "Gamma", developer: "Iron Dawn Studio" }),
        offerOf("within", { title: "Songs of Iron and Dawn" }),
        offerOf("other", { title: "Iron" }),
      ]);
      expect(await findText("iron dawn")).toEqual([
        "exact",
        "begins",
        "within",
        "maker",
        "tags",
        "describes",
      ]);
    });

    it("ranks a game before its add-ons and namesakes", async () => {
      await replaceOffers(namesakes);
      for (const text of ["starfall", "maras starfall vi", namesakeTitle]) {
        expect((await findText(text))[0]).toBe("game");
      }
      expect((await findText(namesakeTitle)).slice(0, 2)).toEqual(["game", "a namesake"]);
    });

    it.each(spellings)("finds %j by %j", async (title, text) => {
      await replaceOffers([offerOf("it", { title }), offerOf("no", { title: "Quux" })]);
      expect(await findText(text)).toEqual(["it"]);
    });

    it.each(misses)("does not find %j by %j", async (title, text) => {
      await replaceOffers([offerOf("it", { title })]);
      expect(await findText(text)).toEqual([]);
    });

    it("combines a text with filters, counts only what both find, and breaks ties by relevance", async () => {
      await replaceOffers([
        offerOf("a", { title: "Moon River Extended", offerType: "DLC" }),
        offerOf("b", { title: "Moon River", offerType: "DLC" }),
        offerOf("c", { title: "Moon River", offerType: "DEMO" }),
      ]);
      expect(await findText("moon river", { offerTypes: ["DLC"] })).toEqual(["b", "a"]);
      const filter = { ...everything, text: "moon river" };
      const order = { key: "creationDate", isAscending: true } as const;
      const hits = await find({ filter, order });
      expect(hits.offerIds).toEqual(["b", "c", "a"]);
      expect(hits.aggregations.offerTypes).toEqual([
        { key: "DLC", count: 2 },
        { key: "DEMO", count: 1 },
      ]);
    });

    describe("with highlights", () => {
      const highlight = async (text: string | undefined, offset = 0) => {
        const order = { key: "relevance", isAscending: false } as const;
        const filter = { ...everything, text };
        const found = await find({ filter, order, offset, limit: 1, highlight: true });
        return found.highlights && Object.fromEntries(found.highlights);
      };

      it("escapes texts and marks whole words in titles and descriptions of the page only", async () => {
        await replaceOffers([
          offerOf("a", {
            title: `Ships & "Harbour" <3`,
            description: "It's a harbour > a pier.",
          }),
          offerOf("b", { title: "Unlike it", description: "No ship, but a Harbour & more" }),
        ]);
        expect(await highlight("harbour")).toEqual({
          a: {
            title: "Ships &amp; &quot;<mark>Harbour</mark>&quot; &lt;3",
            description: "It&#39;s a <mark>harbour</mark> &gt; a pier.",
          },
        });
        expect(await highlight("harbour", 1)).toEqual({
          b: { description: "No ship, but a <mark>Harbour</mark> &amp; more" },
        });
      });

      it("marks a misspelt word, one without its accents, and words written together", async () => {
        await replaceOffers([offerOf("it", { title: "Pokémon Borderlands Half-Life" })]);
        const titleBy = async (text: string) => (await highlight(text))?.["it"]?.title;
        expect(await titleBy("bordrlands")).toBe("Pokémon <mark>Borderlands</mark> Half-Life");
        expect(await titleBy("pokemon")).toBe("<mark>Pokémon</mark> Borderlands Half-Life");
        // One match or two.
        const joined = (await titleBy("halflife"))?.replace("</mark>-<mark>", "-");
        expect(joined).toBe("Pokémon Borderlands <mark>Half-Life</mark>");
      });

      it("returns a limited part of a long description", async () => {
        const filler = "lorem ipsum dolor sit amet ".repeat(50);
        const description = `${filler}& a harbour at last ${filler}`;
        await replaceOffers([offerOf("it", { title: "Other", description })]);
        const snippet = (await highlight("harbour"))?.["it"]?.description ?? "";
        expect(snippet).toContain("&amp; a <mark>harbour</mark> at");
        const text = snippet.replaceAll(/<\/?mark>/g, "").replaceAll("&amp;", "&");
        expect(text.length).toBeLessThanOrEqual(maxSnippetLength);
        expect(description).toContain(text);
      });

      it("returns none without words, and an empty one where only other fields matched", async () => {
        await replaceOffers([offerOf("it", { title: "Other", developer: "Harbour" })]);
        expect(await highlight("harbour")).toEqual({ it: {} });
        expect(await highlight(undefined)).toBeUndefined();
        expect(await highlight("!?")).toBeUndefined();
        const plain = await find({ filter: { ...everything, text: "harbour" } });
        expect(plain.highlights).toBeUndefined();
      });
    });
  });
}

export const namesakeTitle = "Mara's Starfall VI";

/** A game, its add-ons, and others with similar titles. */
export const namesakes = [
  offerOf("longer", { title: "Starfalls IV", offerType: "BASE_GAME" }),
  offerOf("a namesake", { title: namesakeTitle, offerType: "OTHERS" }),
  offerOf("pack", { title: "Starfall VI : Gold Pack", offerType: "ADD_ON" }),
  offerOf("an upgrade", { title: `${namesakeTitle} : Gold Upgrade`, offerType: "ADD_ON" }),
  offerOf("edition", { title: `${namesakeTitle} : Platinum Edition`, offerType: "EDITION" }),
  offerOf("game", { title: namesakeTitle, offerType: "BASE_GAME" }),
];

/** A title and a text that must find it. */
const spellings: readonly (readonly [string, string])[] = [
  ["Half-Life", "half life"],
  ["Half-Life", "halflife"],
  ["Half Life", "half-life"],
  ["S.T.A.L.K.E.R.: Clear Sky", "stalker"],
  ["STALKER", "S.T.A.L.K.E.R."],
  ["S.T.A.L.K.E.R.", "s.t.a.l.k.e.r."],
  ["Assassin's Creed® Valhalla", "assassins creed valhalla"],
  ["Assassin's Creed® Valhalla", "assassin’s creed™"],
  ["Pokémon Café", "pokemon cafe"],
  ["Pokemon Cafe", "POKÉMON CAFÉ"],
  ["Straße nach Øresund", "strasse oresund"],
  ["Control Ultimate", "ultim"],
  ["Borderlands", "bordrlands"],
  ["Borderlands", "bordelrands"],
  ["Borderlands", "borderlabs"],
  ["Hades", "hadse"],
  ["Hades", "hads"],
  ["Doom", "doon"],
  ["Assassin's Creed", "assasin"],
  ["Ведьмак 3: Дикая Охота", "ведьмак"],
  ["Ведьмак 3: Дикая Охота", "ВЕДМАК"],
  ["原神", "原神"],
  ["崩壊スターレイル", "スターレイル"],
  ["ファイナルファンタジー", "ファンタジー"],
  ["배틀그라운드", "배틀그라"],
  ["Foo: [Remaster] :(", "foo remaster"],
  ["A & B || C", "a & b || c"],
  ["It's \\ 'quoted' `ticks`", "quoted' \\ `ticks"],
];

/** A title and a text that must not find it. */
const misses: readonly (readonly [string, string])[] = [
  ["Ark", "arm"],
  ["Doom", "duum"],
  ["Moonlight", "starlight"],
  ["Half-Life", "half dead"],
  ["原神", "神原"],
];

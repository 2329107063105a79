import { asCountry, asLocale, asOfferId, asRegion } from "@storefront/domain/identifiers";
import type { Country, Locale, OfferId } from "@storefront/domain/identifiers";
import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { findPrice } from "../src/compose/find-price.ts";
import { requestLocale } from "../src/compose/localise-offer.ts";
import { zCountry, zLocale, zOfferId } from "../src/schemas/parameters.ts";
import { priceTag } from "../src/tags/tags.ts";

const country = asCountry("BR");
const region = asRegion("BR2");
const locale = asLocale("pt-BR");
const offerId = asOfferId("full");

it("never accepts a country, a region, a locale and an offer's id for one another", () => {
  expect(priceTag(offerId, region)).toBe("price:full:BR2");
  // @ts-expect-error: swapped
  priceTag(region, offerId);
  // @ts-expect-error: a country is no region
  priceTag(offerId, country);
  // @ts-expect-error: a country is no locale
  requestLocale(country);
  // @ts-expect-error: plain text is no locale
  requestLocale("pt-BR");
  expect(requestLocale(locale)).toBe(locale);
  expectTypeOf(region).not.toExtend<Parameters<typeof findPrice>[1]>();
  expectTypeOf(offerId).not.toExtend<Parameters<typeof findPrice>[2]>();
});

it("brands checked parameters, and accepts any text for them", () => {
  const input = z.object({ id: zOfferId, country: zCountry, locale: zLocale });
  type Checked = z.output<typeof input>;
  expectTypeOf<Checked["id"]>().toEqualTypeOf<OfferId>();
  expectTypeOf<Checked["country"]>().toEqualTypeOf<Country | undefined>();
  expectTypeOf<Checked["locale"]>().toEqualTypeOf<Locale>();
  type Given = z.input<typeof input>;
  expectTypeOf<Given["id"]>().toEqualTypeOf<string>();
  expectTypeOf<Given["country"]>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Given["locale"]>().toEqualTypeOf<string | undefined>();
});

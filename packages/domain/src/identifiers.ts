import type { $brand } from "zod";

// At run time these are plain strings. With zod's brand schemas have the same types. The functions check
// nothing: they declare the type of a string at its origin, such as a message, a row or a constant.

/** An ISO 3166-1 alpha-2 code of a country, in capitals; may be in no pricing region. */
export type Country = string & $brand<"Country">;

/** Code of a pricing region such as `US`, `EURO` or `BR2`; of a request to a service, perhaps an unknown one. */
export type Region = string & $brand<"Region">;

/** A BCP-47 tag in its canonical form; empty where a request to a service names none. */
export type Locale = string & $brand<"Locale">;

/** Id of an offer, known or not. */
export type OfferId = string & $brand<"OfferId">;

export const asCountry = (code: string) => code as Country;

export const asRegion = (code: string) => code as Region;

export const asLocale = (tag: string) => tag as Locale;

export const asOfferId = (id: string) => id as OfferId;

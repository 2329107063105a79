import { asCountry, asRegion } from "./identifiers.ts";
import type { Country, Region } from "./identifiers.ts";

/** A region with one price list. */
export interface PricingRegion {
  /** Not always a country's code. */
  readonly region: Region;
  /** ISO 4217 code of the currency that its prices are in. */
  readonly currencyCode: string;
  /** Decimals of an amount in minor units: 2 where 1999 is 19.99. */
  readonly currencyDecimals: number;
  /** Every country is in at most one region. */
  readonly countries: readonly Country[];
}

const table = [
  { region: "AE", currencyCode: "AED", countries: ["AE"] },
  {
    region: "AFRICA",
    currencyCode: "USD",
    countries: [
      "AO",
      "BF",
      "BI",
      "BJ",
      "BW",
      "CD",
      "CF",
      "CG",
      "CI",
      "CM",
      "CV",
      "DJ",
      "DZ",
      "EH",
      "ER",
      "ET",
      "GA",
      "GH",
      "GM",
      "GN",
      "GQ",
      "GW",
      "KE",
      "KM",
      "LR",
      "LS",
      "MA",
      "MG",
      "ML",
      "MR",
      "MU",
      "MW",
      "MZ",
      "NA",
      "NE",
      "NG",
      "RW",
      "SC",
      "SD",
      "SL",
      "SN",
      "SO",
      "SS",
      "ST",
      "SZ",
      "TD",
      "TG",
      "TN",
      "TZ",
      "UG",
      "YE",
      "ZM",
      "ZW",
    ],
  },
  {
    region: "ANZ",
    currencyCode: "USD",
    countries: [
      "CC",
      "CK",
      "CX",
      "FJ",
      "FM",
      "GU",
      "HM",
      "KI",
      "MH",
      "MP",
      "NF",
      "NR",
      "NU",
      "PG",
      "PN",
      "PW",
      "SB",
      "TK",
      "TO",
      "TV",
      "VU",
      "WF",
      "WS",
    ],
  },
  { region: "AR", currencyCode: "USD", countries: ["AR"] },
  { region: "AU", currencyCode: "AUD", countries: ["AU"] },
  { region: "BG", currencyCode: "BGN", countries: ["BG"] },
  { region: "BR2", currencyCode: "BRL", countries: ["BR"] },
  { region: "CA", currencyCode: "CAD", countries: ["CA"] },
  { region: "CH", currencyCode: "CHF", countries: ["CH", "LI"] },
  {
    region: "CIS",
    currencyCode: "USD",
    countries: ["AM", "AZ", "GE", "KG", "MD", "TJ", "TM", "UZ"],
  },
  { region: "CL2", currencyCode: "CLP", countries: ["CL"] },
  { region: "CN2", currencyCode: "CNY", countries: ["CN"] },
  { region: "CO2", currencyCode: "COP", countries: ["CO"] },
  { region: "CR2", currencyCode: "CRC", countries: ["CR"] },
  { region: "CZ", currencyCode: "CZK", countries: ["CZ"] },
  { region: "DK", currencyCode: "DKK", countries: ["DK"] },
  {
    region: "EAST",
    currencyCode: "USD",
    countries: ["AF", "EG", "IQ", "IR", "JO", "LB", "LK", "LY", "MN", "MV", "OM", "PK", "PS", "SY"],
  },
  {
    region: "EURO",
    currencyCode: "EUR",
    countries: [
      "AD",
      "AL",
      "AT",
      "BA",
      "BE",
      "CY",
      "DE",
      "EE",
      "ES",
      "FI",
      "FO",
      "FR",
      "GL",
      "GR",
      "HR",
      "IE",
      "IS",
      "IT",
      "LT",
      "LU",
      "LV",
      "MC",
      "ME",
      "MK",
      "MT",
      "NL",
      "PT",
      "RE",
      "SI",
      "SK",
      "SM",
      "VA",
      "XK",
    ],
  },
  { region: "GB", currencyCode: "GBP", countries: ["GB", "GG", "GI", "IM", "JE"] },
  { region: "HK2", currencyCode: "HKD", countries: ["HK"] },
  { region: "HU", currencyCode: "HUF", countries: ["HU"] },
  { region: "ID2", currencyCode: "IDR", countries: ["ID"] },
  { region: "IL", currencyCode: "ILS", countries: ["IL"] },
  { region: "IN2", currencyCode: "INR", countries: ["IN"] },
  { region: "JP", currencyCode: "JPY", countries: ["JP"] },
  { region: "KR2", currencyCode: "KRW", countries: ["KR"] },
  { region: "KZ", currencyCode: "KZT", countries: ["KZ"] },
  {
    region: "LATAM",
    currencyCode: "USD",
    countries: [
      "AG",
      "AI",
      "AN",
      "AW",
      "BB",
      "BM",
      "BO",
      "BS",
      "BZ",
      "CU",
      "DM",
      "DO",
      "EC",
      "FK",
      "GD",
      "GT",
      "GY",
      "HN",
      "HT",
      "JM",
      "KN",
      "LC",
      "MS",
      "NI",
      "PA",
      "PR",
      "PY",
      "SH",
      "SR",
      "SV",
      "TC",
      "TT",
      "VC",
      "VE",
    ],
  },
  { region: "MIDEAST", currencyCode: "USD", countries: ["BH", "KW"] },
  { region: "MX2", currencyCode: "MXN", countries: ["MX"] },
  { region: "MY2", currencyCode: "MYR", countries: ["MY"] },
  { region: "NO", currencyCode: "NOK", countries: ["NO"] },
  { region: "NZ", currencyCode: "NZD", countries: ["NZ"] },
  { region: "PE2", currencyCode: "PEN", countries: ["PE"] },
  { region: "PH2", currencyCode: "PHP", countries: ["PH"] },
  { region: "PL", currencyCode: "PLN", countries: ["PL"] },
  { region: "QA", currencyCode: "QAR", countries: ["QA"] },
  { region: "RO", currencyCode: "RON", countries: ["RO"] },
  {
    region: "ROW",
    currencyCode: "USD",
    countries: [
      "AQ",
      "AS",
      "AX",
      "BL",
      "BQ",
      "BV",
      "CW",
      "GF",
      "GP",
      "GS",
      "IO",
      "KP",
      "KY",
      "MF",
      "MQ",
      "NC",
      "PF",
      "PM",
      "RS",
      "SJ",
      "SX",
      "TF",
      "UM",
      "VG",
      "VI",
      "YT",
    ],
  },
  { region: "RU", currencyCode: "RUB", countries: ["BY", "RU"] },
  { region: "SA", currencyCode: "SAR", countries: ["SA"] },
  { region: "SE", currencyCode: "SEK", countries: ["SE"] },
  {
    region: "SEA",
    currencyCode: "USD",
    countries: ["BD", "BN", "BT", "KH", "LA", "MM", "MO", "NP", "TL"],
  },
  { region: "SG2", currencyCode: "SGD", countries: ["SG"] },
  { region: "TH2", currencyCode: "THB", countries: ["TH"] },
  { region: "TR", currencyCode: "TRY", countries: ["TR"] },
  { region: "TW2", currencyCode: "TWD", countries: ["TW"] },
  { region: "UA", currencyCode: "UAH", countries: ["UA"] },
  { region: "US", currencyCode: "USD", countries: ["US"] },
  { region: "UY2", currencyCode: "UYU", countries: ["UY"] },
  { region: "VN2", currencyCode: "VND", countries: ["VN"] },
  { region: "ZA2", currencyCode: "ZAR", countries: ["ZA"] },
];

/** Currencies of these regions without a smaller unit; all others have hundredths. */
const wholeUnitCurrencies = new Set(["CLP", "JPY", "KRW", "VND"]);

/** The 52 regions that an installation begins with, ordered by code. */
export const regions: readonly PricingRegion[] = table.map(
  ({ region, currencyCode, countries }) => ({
    region: asRegion(region),
    currencyCode,
    currencyDecimals: wholeUnitCurrencies.has(currencyCode) ? 0 : 2,
    countries: countries.map(asCountry),
  }),
);

/** The region of most calls; for calls that read no price. */
export const defaultRegion = asRegion("US");

/** Lookups of regions. */
export class RegionTable {
  /** Ordered by code. */
  readonly regions: readonly PricingRegion[];
  readonly #byCode: ReadonlyMap<Region, PricingRegion>;
  readonly #byCountry: ReadonlyMap<Country, PricingRegion>;
  readonly #decimals: ReadonlyMap<string, number>;

  /** @param listed ordered by code; if two have the same country the last counts */
  constructor(listed: readonly PricingRegion[]) {
    this.regions = listed;
    this.#byCode = new Map(listed.map((each) => [each.region, each]));
    this.#byCountry = new Map(
      listed.flatMap((each) => each.countries.map((country) => [country, each] as const)),
    );
    this.#decimals = new Map(
      listed.map(({ currencyCode, currencyDecimals }) => [currencyCode, currencyDecimals]),
    );
  }

  get(region: Region): PricingRegion | undefined {
    return this.#byCode.get(region);
  }

  /** The region of a country's prices; undefined for a country that is in none. */
  of(country: Country): PricingRegion | undefined {
    return this.#byCountry.get(country);
  }

  /** Decimals of an amount in a currency, as in the region if that is its currency; 2 if no region uses it. */
  decimalsOf(currencyCode: string, region?: Region): number {
    const own = region === undefined ? undefined : this.get(region);
    if (own?.currencyCode === currencyCode) return own.currencyDecimals;
    return this.#decimals.get(currencyCode) ?? 2;
  }
}

/** The regions that an installation begins with. */
export const firstRegions = new RegionTable(regions);

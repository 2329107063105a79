/** Parameters of a URL before a page has parsed them. */
export type RawParams = Record<string, unknown>;

/** Parses the query of a URL; a repeated parameter is a list. */
export function parseQuery(query: string): RawParams {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** Builds a query from parameters; the inverse of `parseQuery`. */
export function stringifyQuery(raw: RawParams): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === "string" || typeof one === "number") params.append(name, String(one));
    }
  }
  const query = params.toString();
  return query === "" ? "" : `?${query}`;
}

/** A text that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.slice(0, 500) : undefined;
}

/** One or more texts. */
export function listOf(value: unknown): string[] | undefined {
  const values = (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
  return values.length === 0 ? undefined : [...new Set(values)].slice(0, 50);
}

/** A whole number of at least `least`. */
export function numberOf(value: unknown, least: number): number | undefined {
  const number = typeof value === "number" ? value : Number(textOf(value));
  return Number.isSafeInteger(number) && number >= least ? number : undefined;
}

type Defined<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The members that have a value. */
export function withoutUndefined<Members extends object>(members: Members): Defined<Members> {
  const defined = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Defined<Members>;
}

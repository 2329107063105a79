/** A search's response in a form to compare: buckets are `[value, number of offers]`. */
export interface SearchAnswer {
  ids: string[];
  total: number;
  aggregations: Record<AggregationName, [string, number][]>;
  prices: { count: number; min: number | null; max: number | null; avg: number | null };
}

export type AggregationName =
  | "technologies"
  | "offerTypes"
  | "tags"
  | "developers"
  | "publishers"
  | "sellers";

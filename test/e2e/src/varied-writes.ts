import type { Observation } from "./model/read-observations.ts";

/**
 * Import lines that change, delete, move and create records of mirrored kinds, and entries of other sources.
 *
 * @param observations of the catalogue that they change
 * @param title of the written records, which distinguishes the writes of one call from those of others
 * @param day of all observations, later than the existing ones
 */
export function variedWrites(
  observations: readonly Observation[],
  title: string,
  day: string,
): object[] {
  const of = (kind: string, count: number) =>
    observations.filter((line) => line.kind === kind).slice(0, count);
  const times = Array.from({ length: 1000 }, (_, index) => {
    const offsetMs = index * 1000;
    return new Date(Date.parse(`${day}T00:00:00Z`) + offsetMs).toISOString();
  });
  const observed = (line: object) => ({ ...line, observedAt: times.shift() });
  const upsert = ({ kind, record }: Observation, change: object) =>
    observed({ kind, record: { ...record, ...change } });
  const remove = ({ kind, record }: Observation) => observed({ kind, op: "delete", record });
  const entry = { timestamp: `${day}T00:00:00Z`, contextType: "asset", contextId: `by ${title}` };
  const changes = [{ changeType: "insert", field: "x", type: "null" }];
  return [
    ...of("offer", 9).map((line) => upsert(line, { title, namespace: title })),
    ...of("asset", 4).map((line) => upsert(line, { title })),
    ...of("price", 9).map((line, index) => {
      const discountPrice = 100 + index + title.length;
      const price = { ...(line.record["price"] as object), originalPrice: 5000, discountPrice };
      return upsert(line, { price });
    }),
    ...of("review", 3).map((line) => upsert(line, { title })),
    ...of("build", 3).map((line) => upsert(line, { buildVersion: title })),
    ...["offer", "asset", "price", "review", "item"].flatMap((kind) => {
      const [first] = of(kind, 1);
      return first === undefined ? [] : [remove(first), upsert(first, {})];
    }),
    // Once each: a repeated deletion is in no log.
    ...new Map(of("offer", 5).map((line) => [line.record["id"], remove(line)])).values(),
    observed({ kind: "sandbox", record: { id: title } }),
    observed({ kind: "asset", record: { artifactId: "x", platform: title, namespace: "n" } }),
    observed({
      kind: "asset",
      op: "delete",
      record: { artifactId: "x", platform: title, namespace: "n" },
    }),
    observed({ kind: "offer", record: { id: `forgotten ${title}`, title } }),
    { kind: "entry", record: { ...entry, id: `1 ${title}`, namespace: "one", changes } },
    { kind: "entry", record: { ...entry, id: `2 ${title}`, namespace: "two", changes } },
  ];
}

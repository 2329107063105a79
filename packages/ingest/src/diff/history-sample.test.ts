import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { identityListsOf, recordFromJson, recordToJson } from "@storefront/import-format";
import { sharedData } from "@storefront/testkit";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { describe, expect, it } from "vitest";
import { changesBetween, firstSight } from "./changes-between.ts";
import type { MemberChange } from "./changes-between.ts";

interface ExpectedRecord {
  kind: "offer" | "item";
  id: string;
  lines: number;
  entries: { timestamp: string; changes: (MemberChange & { action: string })[] }[];
}

interface Line {
  kind: string;
  observedAt: string;
  record: JsonObject & { id: string };
}

const schemas: Record<ExpectedRecord["kind"], DescMessage> = {
  offer: OfferSchema,
  item: ItemSchema,
};

const shared = sharedData();

describe.skipIf(shared === undefined)("the worked records of the real history", () => {
  it("give the expected changes", async () => {
    if (shared === undefined) return;
    const expectedFile = shared.path("data/import/history-sample-expected.json");
    const expected: { records: ExpectedRecord[] } = JSON.parse(readFileSync(expectedFile, "utf8"));
    const wanted = new Map(expected.records.map((record) => [record.id, record]));
    const lines = Map.groupBy(
      await linesOf(shared.importFiles.history, wanted),
      (line) => line.record.id,
    );
    for (const record of expected.records) {
      const observed = lines.get(record.id) ?? [];
      expect(observed).toHaveLength(record.lines);
      expect(entriesOf(record.kind, observed)).toEqual(
        record.entries.map(({ timestamp, changes }) => ({
          timestamp,
          changes: sorted(changes),
        })),
      );
    }
  });
});

async function linesOf(file: string, wanted: ReadonlyMap<string, unknown>): Promise<Line[]> {
  const lines: Line[] = [];
  const input = createReadStream(file).pipe(createGunzip());
  for await (const text of createInterface({ input })) {
    const id = /"record":\{"id":"([^"]+)"/.exec(text)?.[1];
    if (id === undefined || !wanted.has(id)) continue;
    lines.push(JSON.parse(text));
  }
  return lines;
}

function entriesOf(kind: ExpectedRecord["kind"], lines: readonly Line[]): object[] {
  const schema = schemas[kind];
  const identityLists = identityListsOf(schema);
  const table = { members: schema.fields.map(({ localName }) => localName), identityLists };
  const entries: object[] = [];
  let before: JsonObject | undefined;
  for (const { observedAt, record } of lines) {
    const after = recordToJson(schema, recordFromJson(schema, record).record);
    const { id, title, namespace } = record;
    const changes =
      before === undefined
        ? [firstSight({ id, title: title ?? null, namespace: namespace ?? null })]
        : changesBetween(table, before, after);
    if (changes.length > 0) {
      // In the file each change says its type twice, as the changelog does.
      const twice = sorted(changes).map((change) => ({ ...change, action: change.changeType }));
      entries.push({ timestamp: observedAt, changes: twice });
    }
    before = after;
  }
  return entries;
}

/** Changes inside an entry have no order in the file. */
function sorted(changes: readonly MemberChange[]): MemberChange[] {
  return changes.toSorted((left, right) =>
    JSON.stringify(orderOf(left)) < JSON.stringify(orderOf(right)) ? -1 : 1,
  );
}

function orderOf({ field, changeType, oldValue, newValue }: MemberChange): unknown[] {
  const value = oldValue ?? newValue;
  const members =
    typeof value === "object" && value !== null
      ? Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
      : value;
  return [field, changeType, members];
}

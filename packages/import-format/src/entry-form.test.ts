import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EntryRecordSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { describe, expect, it } from "vitest";
import { entryForm } from "./entry-form.ts";

const json = {
  id: "e1",
  timestamp: "2021-03-16T19:05:41.123Z",
  contextType: "asset",
  contextId: "app",
  changes: [
    {
      changeType: "insert",
      type: "array",
      field: "tags",
      newValue: [{ id: "1" }, null, 2.5, false],
    },
    { changeType: "update", type: "null", field: "b", oldValue: "", newValue: null },
    { changeType: "delete", field: "c", oldValueRaw: "{}" },
  ],
  key: ["app", "Windows", "ns"],
};

describe("an entry in the import format", () => {
  it("round-trips, with null and empty values distinguished from absent ones", () => {
    expect(entryForm.write(entryForm.read(json).record)).toEqual(json);
  });

  it("is read as the changelog stores it", () => {
    const { record } = entryForm.read({ ...json, changes: json.changes.slice(2), key: [] });
    const timestamp = timestampFromDate(new Date(json.timestamp));
    const expected = { id: "e1", contextType: "asset", contextId: "app", timestamp };
    expect(record).toEqual(
      create(EntryRecordSchema, {
        ...expected,
        changes: [
          {
            changeType: ChangeType.DELETE,
            field: "c",
            oldValueRaw: { kind: { case: "stringValue", value: "{}" } },
          },
        ],
      }),
    );
  });

  it.each([
    [{ changes: {} }, "changes must be a list"],
    [{ changes: [1] }, "changes[0] must be an object"],
    [
      { changes: [{ changeType: "patch" }] },
      "changes[0].changeType must be insert, update or delete",
    ],
    [{ timestamp: "yesterday" }, "the record cannot be read"],
    [{ id: 1 }, "the record cannot be read"],
  ])("is rejected when it is invalid: %o", (members, reason) => {
    expect(() => entryForm.read({ ...json, ...members })).toThrow(reason);
  });
});

import { create } from "@bufbuild/protobuf";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { expect, it } from "vitest";
import { wholeRecords } from "./whole-records.ts";

/** Gives what becomes of messages with these keys, a word for each state. */
async function batched(...messages: readonly string[]): Promise<string[]> {
  async function* snapshot() {
    for (const message of messages) {
      const keys = message === "" ? [] : message.split(" ");
      const entries = keys.map((key) => create(FeedEntrySchema, { kind: "price", key: [key] }));
      yield { entries, sequence: 7n, identity: "a" };
    }
  }
  const batches = await Array.fromAsync(wholeRecords(snapshot()));
  for (const { sequence, identity } of batches) expect([sequence, identity]).toEqual([7n, "a"]);
  return batches.map(({ entries }) => entries.map(({ key }) => key[0]).join(" "));
}

it("gives all states of a record in one batch, and every state once", async () => {
  expect(await batched("", "a a b", "b c", "d")).toEqual(["", "a a", "b b", "c", "d"]);
  expect(await batched("a a", "a", "a b")).toEqual(["", "", "a a a a", "b"]);
});

it("gives the place of a snapshot that has no records", async () => {
  expect(await batched("")).toEqual(["", ""]);
  expect(await batched()).toEqual([]);
});

import type { PriceState } from "@storefront/domain/price-lows";
import { isDeepStrictEqual } from "node:util";
import { changesBetween } from "./changes.ts";
import type { ModelChange, ReplayRecord } from "./changes.ts";
import { known } from "./known.ts";
import { membersOf } from "./observed-members.ts";
import type { ObservedKind } from "./observed-members.ts";
import { timeOf } from "./order.ts";
import { readObservations } from "./read-observations.ts";
import type { Observation } from "./read-observations.ts";
import type { PriceRecord } from "./records.ts";

/** The expected entry of a write, without its id. */
export interface ModelEntry {
  contextType: ObservedKind;
  contextId: string;
  /** ISO 8601 with milliseconds. */
  timestamp: string;
  changes: ModelChange[];
}

/** The last observation of a record. */
interface Stored {
  observedAt: number;
  /** Undefined when it was deleted. */
  record: ReplayRecord | undefined;
  /** The record, or the last one before it was deleted. */
  lastRecord: ReplayRecord;
}

/** The expected result of an import of files in their order. */
export interface Replay {
  /** In the order of the writes. */
  entries: ModelEntry[];
  /** How many entries there are after each file. */
  entryCounts: number[];
  /** The record of an entry: its present state, or its last one. */
  recordOf(entry: ModelEntry | undefined): ReplayRecord;
  /** The states of each price in the order of the writes, by offer and region, separated by a space. */
  prices: Map<string, PriceRecord[]>;
  /** All states of each price, including those without a price, by the same key. */
  priceStates: Map<string, PriceState[]>;
}

/** Applies the observations of import files, plain or gzip, in their order. */
export async function replay(files: readonly string[]): Promise<Replay> {
  return replayOf(await Promise.all(files.map(readObservations)));
}

/** Applies the observations of files in their order. */
export function replayOf(files: readonly (readonly Observation[])[]): Replay {
  const records = new Map<string, Stored>();
  const subjects = new Map<ModelEntry, string>();
  const prices = new Map<string, PriceRecord[]>();
  const priceStates = new Map<string, PriceState[]>();

  const write = ({ kind, op, observedAt, record }: Observation): void => {
    if (!isObserved(kind) && kind !== "price") return;
    const key = keyOf(kind, record);
    const time = Date.parse(observedAt);
    const before = records.get(key);
    if (before !== undefined && time <= before.observedAt) return;
    const isDelete = op === "delete";
    if (isDelete && before?.record === undefined) return;
    const after = isDelete ? undefined : record;
    records.set(key, {
      observedAt: time,
      record: after,
      lastRecord: after ?? before?.lastRecord ?? record,
    });
    if (kind === "price") {
      const price = after as PriceRecord | undefined;
      const last = before?.record;
      if (last !== undefined && isDeepStrictEqual(known(last), known(price))) return;
      const priceKey = priceKeyOf(record);
      priceStates.set(priceKey, [...(priceStates.get(priceKey) ?? []), stateOf(price, time)]);
      if (price === undefined) return;
      prices.set(priceKeyOf(price), [...(prices.get(priceKeyOf(price)) ?? []), price]);
      return;
    }
    const changes = changesBetween(kind, before?.record, after);
    if (changes.length === 0) return;
    const contextId = String(record[kind === "asset" ? "artifactId" : "id"]);
    const timestamp = new Date(time).toISOString();
    const entry = { contextType: kind, contextId, timestamp, changes };
    subjects.set(entry, key);
  };

  const entryCounts: number[] = [];
  for (const file of files) {
    for (const observation of file) write(observation);
    entryCounts.push(subjects.size);
  }
  return {
    entries: [...subjects.keys()],
    entryCounts,
    prices,
    priceStates,
    recordOf: (entry) => records.get((entry && subjects.get(entry)) ?? "")?.lastRecord ?? {},
  };
}

function isObserved(kind: string): kind is ObservedKind {
  return Object.hasOwn(membersOf, kind);
}

function keyOf(kind: ObservedKind | "price", record: ReplayRecord): string {
  const members =
    kind === "asset"
      ? ["artifactId", "platform", "namespace"]
      : kind === "price"
        ? ["offerId", "region"]
        : ["id"];
  return JSON.stringify([kind, ...members.map((member) => record[member])]);
}

function stateOf(record: PriceRecord | undefined, observedAtMs: number): PriceState {
  return { observedAtMs, updatedAtMs: timeOf(record?.updatedAt), price: record?.price };
}

function priceKeyOf({ offerId, region }: { offerId?: unknown; region?: unknown }): string {
  return `${String(offerId)} ${String(region)}`;
}

import { Code, ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import { joinInTurn } from "@storefront/process";
import type { ReadLog } from "../tags/read-log.ts";
import type { CallScope } from "./call-scope.ts";
import { callOptionsOf, noted } from "./call-upstream.ts";
import { Waiters } from "./single-flight.ts";
import { isPassing } from "./upstream-error.ts";

/** Gives the known ones of the ids, which are distinct, by id. `group` is what they have in common. */
export type FetchBatch<Value> = (
  group: string,
  ids: string[],
  options: CallOptions,
) => Promise<Map<string, Value>>;

/** Notes what looking one id up has read; `value` is undefined when the id is unknown. */
export type NoteLookup<Group extends string, Id extends string, Value> = (
  log: ReadLog,
  group: Group,
  id: Id,
  value: Value | undefined,
) => void;

/**
 * Looks ids up in a group: their values in the order of the ids, undefined for the unknown ones.
 * None are looked up when there are none. Noted as a call of the request, and fails as such, see `ServiceClient`.
 */
export type BatchLoader<Group extends string, Id extends string, Value> = (
  scope: CallScope,
  group: Group,
  ids: readonly Id[],
) => Promise<(Value | undefined)[]>;

interface Lookup {
  readonly ids: readonly string[];
  readonly scope: CallScope;
}

/**
 * Joins the lookups that all requests make within one turn of the event loop into batch calls of
 * at most `maxBatchSize` ids, one per group, aborted when none of the requests waits any more.
 * Each request has read what it looked up itself, not the rest of its batch.
 *
 * @param name service and method, such as `catalog.BatchGetOffers`
 */
export function createBatchLoader<Group extends string, Id extends string, Value>(
  name: string,
  maxBatchSize: number,
  fetchBatch: FetchBatch<Value>,
  noteLookup: NoteLookup<Group, Id, Value>,
): BatchLoader<Group, Id, Value> {
  // A lookup is all that one request wants: one for each id of a page would cost more than the rest of the joining.
  const load = joinInTurn<Group, Lookup, (Value | undefined)[]>(async (lookups, group) => {
    const ids = new Set<string>();
    for (const lookup of lookups) for (const id of lookup.ids) ids.add(id);
    const scopes = lookups.map(({ scope }) => scope);
    const waiters = new Waiters(scopes.map(({ signal }) => signal));
    try {
      const options = callOptionsOf(scopes, waiters.signal);
      const found = await fetchInBatches(fetchBatch, maxBatchSize, group, [...ids], options);
      return (lookup) => lookup.ids.map((id) => found.get(id));
    } finally {
      waiters.release();
    }
  });

  return async (scope, group, ids) => {
    if (ids.length === 0) return [];
    const values = await noted(scope, name, () => load({ ids, scope }, group));
    const { reads } = scope;
    if (reads !== undefined) {
      for (const [index, id] of ids.entries()) noteLookup(reads, group, id, values[index]);
    }
    return values;
  };
}

async function fetchInBatches<Value>(
  fetchBatch: FetchBatch<Value>,
  maxBatchSize: number,
  group: string,
  ids: string[],
  options: CallOptions,
): Promise<Map<string, Value>> {
  if (ids.length <= maxBatchSize) return await fetchInParts(fetchBatch, group, ids, options);
  const batches: string[][] = [];
  for (let from = 0; from < ids.length; from += maxBatchSize) {
    batches.push(ids.slice(from, from + maxBatchSize));
  }
  return joined(
    await Promise.all(batches.map((batch) => fetchInParts(fetchBatch, group, batch, options))),
  );
}

// Few but large records can be more than a message holds: then each half is requested separately.
async function fetchInParts<Value>(
  fetchBatch: FetchBatch<Value>,
  group: string,
  ids: string[],
  options: CallOptions,
): Promise<Map<string, Value>> {
  try {
    return await fetchBatch(group, ids, options);
  } catch (error) {
    // A service that is overloaded says so by a reason, and would be more so after this.
    const isTooLarge =
      error instanceof ConnectError && error.code === Code.ResourceExhausted && !isPassing(error);
    if (!isTooLarge || ids.length === 1) throw error;
    const middle = Math.ceil(ids.length / 2);
    const halves = await Promise.all(
      [ids.slice(0, middle), ids.slice(middle)].map((half) =>
        fetchInParts(fetchBatch, group, half, options),
      ),
    );
    return joined(halves);
  }
}

function joined<Value>(parts: Map<string, Value>[]): Map<string, Value> {
  return new Map(parts.flatMap((part) => [...part]));
}

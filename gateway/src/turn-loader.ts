import { Code, ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import DataLoader from "dataloader";
import type { CallScope } from "./context.ts";
import { callOptionsOf } from "./upstream.ts";

/** Gives the known ones of the ids, which are distinct, by id. `group` is what they have in common. */
export type FetchBatch<Value> = (
  group: string,
  ids: string[],
  options: CallOptions,
) => Promise<Map<string, Value>>;

/** Looks one id up in a group; undefined when unknown. Fails as the batch call does. */
export type TurnLoader<Value> = (
  scope: CallScope,
  group: string,
  id: string,
) => Promise<Value | undefined>;

interface Lookup {
  id: string;
  scope: CallScope;
}

/**
 * Joins the lookups that all requests make within one turn of the event loop into batch calls of
 * at most `maxBatchSize` ids, one per group. Nothing is remembered from one turn to the next.
 */
export function createTurnLoader<Value>(
  maxBatchSize: number,
  fetchBatch: FetchBatch<Value>,
): TurnLoader<Value> {
  const loaders = new Map<string, DataLoader<Lookup, Value | undefined>>();

  const createLoader = (group: string) =>
    new DataLoader<Lookup, Value | undefined>(
      async (lookups) => {
        const ids = [...new Set(lookups.map(({ id }) => id))];
        const options = callOptionsOf(lookups.map(({ scope }) => scope));
        const found = await fetchInParts(fetchBatch, group, ids, options);
        return lookups.map(({ id }) => found.get(id));
      },
      {
        cache: false,
        maxBatchSize,
        // Requests of one turn come one by one, and the promise jobs of each run in between: only
        // the end of the turn finds their lookups together.
        batchScheduleFn: (dispatch) =>
          setImmediate(() => {
            loaders.delete(group);
            dispatch();
          }),
      },
    );

  return async (scope, group, id) => {
    let loader = loaders.get(group);
    if (loader === undefined) {
      loader = createLoader(group);
      loaders.set(group, loader);
    }
    return await loader.load({ id, scope });
  };
}

// Few but large records can be more than a message holds: then each half is asked for by itself.
async function fetchInParts<Value>(
  fetchBatch: FetchBatch<Value>,
  group: string,
  ids: string[],
  options: CallOptions,
): Promise<Map<string, Value>> {
  try {
    return await fetchBatch(group, ids, options);
  } catch (error) {
    const isTooLarge = error instanceof ConnectError && error.code === Code.ResourceExhausted;
    if (!isTooLarge || ids.length === 1) throw error;
    const middle = Math.ceil(ids.length / 2);
    const halves = await Promise.all(
      [ids.slice(0, middle), ids.slice(middle)].map((half) =>
        fetchInParts(fetchBatch, group, half, options),
      ),
    );
    return new Map(halves.flatMap((half) => [...half]));
  }
}

import { activeCall, activeSpan, inJoinedSpan, joinCalls, runForCall } from "@storefront/process";
import type { Call, JoinedCaller } from "@storefront/process";
import DataLoader from "dataloader";

/** How rows are looked up. `group` is what lookups must have in common to be joined. */
export interface Lookups<Row, Id extends string, Group extends string> {
  /** The row of one id; the fastest way when it is the only one. */
  one(id: Id, group: Group): Promise<Row | undefined>;
  /** The rows of distinct ids, by id; ids without a row are left out. */
  many(ids: readonly Id[], group: Group): Promise<ReadonlyMap<string, Row>>;
}

interface Lookup<Id> extends JoinedCaller {
  readonly id: Id;
  readonly call: Call | undefined;
}

/** Most ids of one statement; more are looked up by another one at the same time. */
const maxIds = 100;

/**
 * Joins the lookups that all callers make within one turn of the event loop into one statement per
 * group: the round trip costs more than the row. Nothing is cached from one
 * turn to the next, so each lookup has its own current result. The statement is ended when
 * none of the calls waits for it any longer.
 *
 * @returns looks one id up: undefined when it has no row. Rejects as the statement does.
 */
export function joinLookups<Row, Id extends string = string, Group extends string = string>(
  lookups: Lookups<Row, Id, Group>,
): (id: Id, group: Group) => Promise<Row | undefined> {
  const loaders = new Map<Group, DataLoader<Lookup<Id>, Row | undefined>>();

  const lookUp = async (joined: readonly Lookup<Id>[], group: Group) => {
    const [first] = joined;
    if (first !== undefined && joined.length === 1) return [await lookups.one(first.id, group)];
    const found = await lookups.many([...new Set(joined.map(({ id }) => id))], group);
    return joined.map(({ id }) => found.get(id));
  };

  const createLoader = (group: Group) =>
    new DataLoader<Lookup<Id>, Row | undefined>(
      (joined) =>
        runForCall(joinCalls(joined.map(({ call }) => call)), () =>
          inJoinedSpan("joined lookups", joined, () => lookUp(joined, group)),
        ),
      {
        cache: false,
        maxBatchSize: maxIds,
        // Calls of one turn come one by one, and the promise jobs of each run in between: only the
        // end of the turn finds their lookups together.
        batchScheduleFn: (dispatch) =>
          setImmediate(() => {
            loaders.delete(group);
            dispatch();
          }),
      },
    );

  return (id, group) => {
    let loader = loaders.get(group);
    if (loader === undefined) {
      loader = createLoader(group);
      loaders.set(group, loader);
    }
    return loader.load({ id, span: activeSpan(), call: activeCall() });
  };
}

import { joinInTurn } from "@storefront/process";

/** Statements of lookups. Only lookups with the same `group` are joined. */
interface Lookups<Row, Id extends string, Group extends string> {
  /** The row of one id; the fastest way when it is the only one. */
  one(id: Id, group: Group): Promise<Row | undefined>;
  /** The rows of distinct ids, by id; ids without a row are omitted. */
  many(ids: readonly Id[], group: Group): Promise<ReadonlyMap<string, Row>>;
}

/** Most ids of one statement. */
const maxIds = 100;

/**
 * Looks rows up by id, in one statement per group and turn of the event loop: the round trip costs more than the row.
 * See {@link joinInTurn}.
 *
 * @returns looks one id up: undefined when it has no row. Rejects as the statement does.
 */
export function joinLookups<Row, Id extends string = string, Group extends string = string>(
  lookups: Lookups<Row, Id, Group>,
): (id: Id, group: Group) => Promise<Row | undefined> {
  return joinInTurn<Group, Id, Row | undefined>(async (ids, group) => {
    const [first] = ids;
    if (first !== undefined && ids.length === 1) {
      const row = await lookups.one(first, group);
      return () => row;
    }
    const found = await lookups.many([...new Set(ids)], group);
    return (id) => found.get(id);
  }, maxIds);
}

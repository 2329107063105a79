import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";

/** The types of context that the catalog's feed has, in no order. */
export const observedTypes = ["offer", "item", "asset", "build", "sandbox"] as const;

/** What an entry is about. */
export interface SubjectRef {
  /** Kind of the record, or the name that a foreign source gives it. */
  readonly type: string;
  /** The identity members, joined by line feeds, which no identifier contains. */
  readonly key: string;
}

/** Where a record is now, or where it was last when it is deleted. */
export interface SubjectState {
  readonly namespace: string | undefined;
  /** Of a build, its application; of an asset, its artifact. */
  readonly app: string | undefined;
  /** Of an asset, the item that it installs. */
  readonly itemId: string | undefined;
  /** Of an item, the applications that its releases name; ascending, each once. */
  readonly releaseApps: readonly string[];
  /** False while only foreign entries are about it. */
  readonly isObserved: boolean;
}

/** Of a record that is no longer known. */
export const unknownPlace: SubjectState = {
  namespace: undefined,
  app: undefined,
  itemId: undefined,
  releaseApps: [],
  isObserved: false,
};

/** What a write reports of its record; a deletion has only the namespace. */
export type Sighting = Pick<SubjectState, "namespace"> & {
  readonly record?: Omit<SubjectState, "namespace" | "isObserved"> | undefined;
};

/** The record that a write is about. */
export function subjectOf({ kind, key }: Pick<FeedEntry, "kind" | "key">): SubjectRef {
  return { type: kind, key: key.join("\n") };
}

/** Unambiguous text of a reference, for maps. */
export function refText({ type, key }: SubjectRef): string {
  return `${type}\n${key}`;
}

/** The state after a write of the record. Members that a deletion leaves out do not change. */
export function afterWrite(
  before: SubjectState | undefined,
  { namespace, record }: Sighting,
): SubjectState {
  if (record !== undefined) return { ...record, namespace, isObserved: true };
  return {
    app: before?.app,
    itemId: before?.itemId,
    releaseApps: before?.releaseApps ?? [],
    namespace: namespace ?? before?.namespace,
    isObserved: true,
  };
}

/**
 * The state after a foreign entry with this namespace. The catalog's own writes of the record take precedence; of a
 * foreign asset or build only the context id is known.
 */
export function afterForeignEntry(
  before: SubjectState | undefined,
  { type, key }: SubjectRef,
  namespace: string | undefined,
): SubjectState {
  if (before?.isObserved === true) return before;
  const own = type === "sandbox" ? key : undefined;
  return {
    namespace: namespace ?? before?.namespace ?? own,
    app: type === "asset" ? key : undefined,
    itemId: undefined,
    releaseApps: [],
    isObserved: false,
  };
}

/** Whether two states put entries into the same lists. */
export function isSameState(a: SubjectState, b: SubjectState): boolean {
  return (
    a.namespace === b.namespace &&
    a.app === b.app &&
    a.itemId === b.itemId &&
    a.isObserved === b.isObserved &&
    a.releaseApps.length === b.releaseApps.length &&
    a.releaseApps.every((app, index) => app === b.releaseApps[index])
  );
}

/** The applications that a record names: the lists of other records with them depend on it. */
export function namedApps(
  { type }: SubjectRef,
  state: SubjectState | undefined,
): readonly string[] {
  if (state === undefined) return [];
  if (type === "asset") return state.app === undefined ? [] : [state.app];
  return state.releaseApps;
}

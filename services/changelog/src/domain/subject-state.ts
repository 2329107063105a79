import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";

/** The types of context that the catalog's feed has, in no order. */
export const observedTypes = ["offer", "item", "asset", "build", "sandbox"] as const;

/** What an entry is about. */
export interface SubjectRef {
  /** Kind of the record, or what a foreign source calls it. */
  readonly type: string;
  /** The identity members, joined by line feeds, which no identifier holds. */
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

/** What a write says of its record; a deletion knows the namespace only. */
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

/** The state after a write of the record. What a deletion leaves out stays as it was last known. */
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
 * The state after a foreign entry with this namespace. What the catalog has said of the record counts
 * more; for the rest a foreign asset or build is known by its context id alone.
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

/** The applications that a record names: others that have them follow it. */
export function namedApps(
  { type }: SubjectRef,
  state: SubjectState | undefined,
): readonly string[] {
  if (state === undefined) return [];
  if (type === "asset") return state.app === undefined ? [] : [state.app];
  return state.releaseApps;
}

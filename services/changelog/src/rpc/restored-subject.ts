import type { EntrySubject } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { identifier } from "@storefront/rpc";
import { keyFault } from "../domain/check-entry.ts";
import type { Fault } from "../domain/check-entry.ts";
import type { SubjectState } from "../domain/subject-state.ts";
import type { NewEntry } from "../store/new-entry.ts";

/** What to store for a subject that an export gave, or the rule that it breaks. */
export function readRestoredSubject(sent: EntrySubject): NewEntry | Fault {
  const { type, key, namespace, app, itemId, releaseApps, isObserved } = sent;
  const fault =
    faultOf("type", [type]) ??
    keyFault(key) ??
    faultOf("namespace", [namespace]) ??
    faultOf("app", [app]) ??
    faultOf("itemId", [itemId]) ??
    faultOf("releaseApps", releaseApps);
  if (fault !== undefined) return fault;
  const apps = [...new Set(releaseApps)].toSorted();
  const state: SubjectState = { namespace, app, itemId, releaseApps: apps, isObserved };
  return {
    id: "",
    observedAt: new Date(0),
    contextType: type,
    contextId: "",
    namespace: "",
    bytes: undefined,
    subject: { type, key: key.join("\n") },
    // What the catalog has said here counts more.
    observe: (before) => (before?.isObserved === true ? before : state),
  };
}

function faultOf(field: string, values: readonly (string | undefined)[]): Fault | undefined {
  const rule = values
    .map((value) => value !== undefined && identifier(value))
    .find((each) => typeof each === "string");
  return rule === undefined ? undefined : { field, rule };
}

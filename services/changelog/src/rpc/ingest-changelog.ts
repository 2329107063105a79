import type { ServiceImpl } from "@connectrpc/connect";
import type {
  ChangelogIngestService,
  ChangelogObservation,
  EntrySubject,
} from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { identifier } from "@storefront/rpc";
import { keyFault } from "../domain/check-entry.ts";
import type { Fault } from "../domain/check-entry.ts";
import type { SubjectState } from "../domain/subject-state.ts";
import type { NewEntry } from "../store/entry-writer.ts";
import { readForeignEntry, readRestoredEntry } from "./sent-entry.ts";
import { storeBatch } from "./store-batch.ts";
import type { BatchDependencies } from "./store-batch.ts";

export function ingestHandlers(deps: BatchDependencies) {
  return {
    async *ingestEntries(requests) {
      for await (const { entries } of requests) {
        const kinds = entries.map(() => "entry");
        yield await storeBatch(deps, kinds, () => entries.map(readForeignEntry));
      }
    },

    async *ingestChangelog(requests) {
      for await (const { observations, isMirrored } of requests) {
        const kinds = observations.map(({ record }) => record.case);
        const read = (observation: ChangelogObservation) =>
          readObservation(observation, isMirrored);
        yield await storeBatch(deps, kinds, () => observations.map(read));
      }
    },
  } satisfies Partial<ServiceImpl<typeof ChangelogIngestService>>;
}

function readObservation(
  { operation, record }: ChangelogObservation,
  isMirrored: boolean,
): NewEntry | Fault {
  if (operation === ObservationOperation.DELETE) {
    return { field: "", rule: "cannot be deleted" };
  }
  switch (record.case) {
    case "entry":
      return operation === ObservationOperation.RESTORE
        ? readRestoredEntry(record.value)
        : readForeignEntry(record.value);
    case "entrySubject":
      return readRestoredSubject(record.value, isMirrored);
    default:
      return { field: "record", rule: "is required" };
  }
}

/** What to store for a subject that an export gave, or the rule that it breaks. */
function readRestoredSubject(sent: EntrySubject, isMirrored: boolean): NewEntry | Fault {
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
    // What the catalog has said here counts more, unless it only repeats what another says.
    observe: (before) => (before?.isObserved === true && !isMirrored ? before : state),
  };
}

function faultOf(field: string, values: readonly (string | undefined)[]): Fault | undefined {
  const rule = values
    .map((value) => value !== undefined && identifier(value))
    .find((each) => typeof each === "string");
  return rule === undefined ? undefined : { field, rule };
}

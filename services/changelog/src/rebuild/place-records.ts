import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { refText } from "../domain/subject-state.ts";
import { entryOfFeed } from "../rpc/entry-of-feed.ts";
import { lockEntries, storeEntries } from "../store/entry-writer.ts";
import type { NewEntry } from "../store/new-entry.ts";
import { loadSubjects } from "../store/subject-store.ts";
import { findLoggedNamespaces } from "../store/logged-namespaces.ts";

/** Puts records where they are, and those that are gone where their entries say that they were last. */
export async function placeRecords(tx: Transaction, records: readonly FeedEntry[]): Promise<void> {
  await lockEntries(tx);
  const refOf = ({ kind, key }: FeedEntry) => ({ type: kind, key: key.join("\n") });
  const gone = records.filter(({ record }) => record === undefined);
  const subjects = await loadSubjects(tx, gone.map(refOf));
  const logged = await findLoggedNamespaces(
    tx,
    [...subjects.values()].map(({ id }) => id),
  );
  const namespaceOf = (write: FeedEntry) => {
    const subject = subjects.get(refText(refOf(write)));
    return write.namespace || ((subject && logged.get(subject.id)) ?? "");
  };
  const sightings = records.map((record): NewEntry => {
    const write = { ...record, namespace: namespaceOf(record), changes: [] };
    // What is of no write is no move that could be undone.
    return { ...entryOfFeed(write), write: undefined };
  });
  await storeEntries(tx, sightings);
}

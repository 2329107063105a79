import { create } from "@bufbuild/protobuf";
import type { Quarantine, RetryOutcome } from "@storefront/change-feed";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database } from "@storefront/database";
import { unavailable } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import type { RefusedDocument } from "../engine/search-engine.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { addToOutbox, everyRegion, newestPosition, outboxState } from "../store/outbox-store.ts";
import type { OutboxEntry, OutboxKey, OutboxKind } from "../store/outbox-store.ts";

/** Longest wait for retried documents, in milliseconds. */
const maxWaitMs = 60_000;

/** Interval of checks, in milliseconds. */
const checkMs = 500;

interface RetryDependencies {
  readonly database: Database;
  readonly quarantine: Quarantine;
  /** Name of the engine. */
  readonly name: string;
  /** Called after they are added to the outbox. */
  readonly onAdded: () => void;
}

/** Entries of a page with refused documents, and the reasons. */
export function reasonsOf(
  page: readonly OutboxEntry[],
  refused: readonly RefusedDocument[],
): Map<OutboxEntry, string> {
  return new Map(
    page.flatMap((entry) => {
      const refusal = refused.find((document) => matches(document, entry));
      return refusal === undefined ? [] : [[entry, refusal.reason]];
    }),
  );
}

/** Never a vector: a later retry of its removal would remove its successor. */
function matches(document: RefusedDocument, { kind, id, region }: OutboxEntry): boolean {
  if (document.id !== id || document.kind !== kind) return false;
  return document.region === undefined || region === everyRegion || document.region === region;
}

/** The form in which it is quarantined. */
export function feedEntryOf({ kind, id, region, position }: OutboxEntry): FeedEntry {
  const key = region === "" ? [id] : [id, region];
  return create(FeedEntrySchema, { sequence: position, kind, key });
}

/**
 * Sends the quarantined documents again, as stored now.
 *
 * @throws ServiceError UNAVAILABLE when they are not sent within a minute; they stay in the outbox.
 */
export async function retryRefused(deps: RetryDependencies): Promise<RetryOutcome> {
  const { database, quarantine, name, onAdded } = deps;
  const retried = (await quarantine.list(database)).map(({ entry }) => entry);
  if (retried.length === 0) return { applied: 0, failed: 0 };
  const through = await requeue(database, quarantine, retried);
  onAdded();
  const deadlineMs = performance.now() + maxWaitMs;
  while ((await outboxState(database)).sentThrough < through) {
    if (performance.now() > deadlineMs) {
      throw unavailable(name, new Error("the documents have not been sent within a minute"));
    }
    await sleep(checkMs);
  }
  const left = new Set((await quarantine.list(database)).map(({ entry }) => nameOf(entry)));
  const failed = retried.filter((entry) => left.has(nameOf(entry))).length;
  return { applied: retried.length - failed, failed };
}

/**
 * Requeues quarantined documents of accepted offers: an offer and its prices are refused as one document, whichever is
 * the cause.
 */
export async function requeueMended(
  database: Database,
  quarantine: Quarantine,
  accepted: readonly OutboxEntry[],
): Promise<void> {
  if (quarantine.size === 0) return;
  const ids = new Set(accepted.filter(({ kind }) => isOfOffer(kind)).map(({ id }) => id));
  const mended = (await quarantine.list(database))
    .map(({ entry }) => entry)
    .filter(({ kind, key: [id = ""] }) => isOfOffer(kind) && ids.has(id));
  if (mended.length > 0) await requeue(database, quarantine, mended);
}

/** Moves entries from the quarantine to the outbox; resolves with the last position. */
async function requeue(
  database: Database,
  quarantine: Quarantine,
  entries: readonly FeedEntry[],
): Promise<bigint> {
  return await inWritersTurn(database, async (tx) => {
    // Locks rows in the order of acknowledgement.
    await addToOutbox(tx, entries.map(keyOf));
    await quarantine.forget(tx, entries);
    return await newestPosition(tx);
  });
}

function isOfOffer(kind: string): boolean {
  return kind === "offer" || kind === "price";
}

function keyOf({ kind, key: [id = "", region = ""] }: FeedEntry): OutboxKey {
  return { kind: kind as OutboxKind, id, region };
}

function nameOf({ kind, key }: FeedEntry): string {
  return JSON.stringify([kind, ...key]);
}

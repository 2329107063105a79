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

/** Longest wait for retried documents to be sent, in milliseconds. */
const maxWaitMs = 60_000;

/** Between looks at whether they are sent, in milliseconds. */
const lookMs = 500;

/** What refused documents are retried with. */
export interface RetryDependencies {
  readonly database: Database;
  readonly quarantine: Quarantine;
  /** Of the engine. */
  readonly name: string;
  /** Called once they are in the outbox. */
  readonly onAdded: () => void;
}

/** Entries of a page whose documents were refused, with the reason. */
export function reasonsOf(
  page: readonly OutboxEntry[],
  refused: readonly RefusedDocument[],
): Map<OutboxEntry, string> {
  return new Map(
    page.flatMap((entry) => {
      const refusal = refused.find((document) => isOf(document, entry));
      return refusal === undefined ? [] : [[entry, refusal.reason]];
    }),
  );
}

/** Never a vector: a later retry of its removal would remove the one that is written next. */
function isOf(document: RefusedDocument, { kind, id, region }: OutboxEntry): boolean {
  if (document.id !== id || document.kind !== kind) return false;
  return document.region === undefined || region === everyRegion || document.region === region;
}

/** As it is quarantined. */
export function feedEntryOf({ kind, id, region, position }: OutboxEntry): FeedEntry {
  const key = region === "" ? [id] : [id, region];
  return create(FeedEntrySchema, { sequence: position, kind, key });
}

/**
 * Sends the quarantined documents again, as they are stored now.
 *
 * @throws ServiceError UNAVAILABLE when they have not been sent within a minute; they remain in the outbox.
 */
export async function retryRefused(deps: RetryDependencies): Promise<RetryOutcome> {
  const { database, quarantine, name, onAdded } = deps;
  const tried = (await quarantine.list(database)).map(({ entry }) => entry);
  if (tried.length === 0) return { applied: 0, failed: 0 };
  const through = await addAgain(database, quarantine, tried);
  onAdded();
  const giveUpAtMs = performance.now() + maxWaitMs;
  while ((await outboxState(database)).sentThrough < through) {
    if (performance.now() > giveUpAtMs) {
      throw unavailable(name, new Error("the documents have not been sent within a minute"));
    }
    await sleep(lookMs);
  }
  const left = new Set((await quarantine.list(database)).map(({ entry }) => nameOf(entry)));
  const failed = tried.filter((entry) => left.has(nameOf(entry))).length;
  return { applied: tried.length - failed, failed };
}

/**
 * Adds what is quarantined of accepted offers to the outbox: an offer and its prices are refused as one document,
 * whichever of them is the cause.
 */
export async function addMended(
  database: Database,
  quarantine: Quarantine,
  accepted: readonly OutboxEntry[],
): Promise<void> {
  if (quarantine.size === 0) return;
  const ids = new Set(accepted.filter(({ kind }) => isOfOffer(kind)).map(({ id }) => id));
  const mended = (await quarantine.list(database))
    .map(({ entry }) => entry)
    .filter(({ kind, key: [id = ""] }) => isOfOffer(kind) && ids.has(id));
  if (mended.length > 0) await addAgain(database, quarantine, mended);
}

/** Moves entries from the quarantine to the outbox; resolves with the last position. */
async function addAgain(
  database: Database,
  quarantine: Quarantine,
  entries: readonly FeedEntry[],
): Promise<bigint> {
  return await inWritersTurn(database, async (tx) => {
    // Rows are locked in the order in which a page is acknowledged.
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

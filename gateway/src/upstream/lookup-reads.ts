import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Locale, OfferId, Region } from "@storefront/domain/identifiers";
import type { ReadLog } from "../tags/read-log.ts";
import * as tag from "../tags/tags.ts";

/** Records the lookup of an offer, with its text in a locale unless that is empty. */
export function noteOffer(log: ReadLog, locale: Locale | "", offerId: OfferId): void {
  log.note("catalog", [tag.offerTag(offerId)]);
  if (locale !== "") log.note("catalog", [tag.offerTextTag(offerId, locale)]);
}

export function notePrice(log: ReadLog, region: Region, offerId: OfferId): void {
  log.note("pricing", [tag.priceTag(offerId, region)]);
}

/** Records the lookup of the record of a changelog entry. */
export function noteChangeContext(
  log: ReadLog,
  _group: string,
  key: string,
  context: ChangeContext | undefined,
): void {
  log.note("catalog", contextTags(key, context));
}

function contextTags(key: string, context: ChangeContext | undefined): string[] {
  const { contextType, contextId } = contextRefOf(key);
  switch (contextType) {
    case "offer":
      return [tag.offerTag(contextId)];
    case "item":
      return [tag.itemTag(contextId)];
    case "build":
      return [tag.buildTag(contextId)];
    case "sandbox":
      return [tag.sandboxTag(contextId)];
    case "asset":
      return [tag.assetTag(contextId), ...assetTags(context)];
    default:
      return [];
  }
}

// Found by either of its ids, and shown with the item that it installs.
function assetTags(context: ChangeContext | undefined): string[] {
  if (context?.record.case !== "asset") return [];
  const { artifactId, itemId } = context.record.value;
  const tags = [tag.assetTag(artifactId)];
  return itemId === undefined ? tags : [...tags, tag.itemTag(itemId)];
}

/** Identifies the record of a changelog entry. */
export interface ContextRef {
  contextType: string;
  contextId: string;
}

/** A reference as one string: identifiers have no line feed. */
export function contextKeyOf({ contextType, contextId }: ContextRef): string {
  return `${contextType}\n${contextId}`;
}

export function contextRefOf(key: string): ContextRef {
  const end = key.indexOf("\n");
  return { contextType: key.slice(0, end), contextId: key.slice(end + 1) };
}

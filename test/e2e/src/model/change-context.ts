import type { Catalogue } from "./catalogue.ts";
import type { Model } from "./model.ts";
import { byCodePoint } from "./order.ts";
import type { AssetRecord, ItemRecord } from "./records.ts";
import type { ModelEntry } from "./replay.ts";

type Subject = Pick<ModelEntry, "contextType" | "contextId">;

/** `metadata.context` of an entry: the record as it is now. */
export function contextOf({ contextType, contextId }: Subject, catalogue: Catalogue): unknown {
  if (contextType === "sandbox") return null;
  const record =
    contextType === "asset" ? assetOf(contextId, catalogue) : catalogue[contextType].get(contextId);
  return record === undefined ? null : pick(record, shown[contextType]);
}

const shown = {
  offer: ["id", "title", "namespace"],
  item: ["id", "title", "namespace"],
  asset: ["id", "artifactId", "title", "namespace"],
  build: ["id", "appName", "buildVersion"],
};

/** `document` of an entry. */
export function documentOf(
  { contextType, contextId }: Subject,
  catalogue: Catalogue,
  model: Model,
): unknown {
  if (contextType === "offer") {
    const offer = catalogue.offer.get(contextId);
    return offer === undefined ? null : model.offer(offer);
  }
  if (contextType === "item") return offerShaped(catalogue.item.get(contextId));
  if (contextType === "asset") {
    return offerShaped(catalogue.item.get(String(assetOf(contextId, catalogue)?.["itemId"])));
  }
  return contextOf({ contextType, contextId }, catalogue);
}

/** The first asset by platform and namespace represents an artifact. */
function assetOf(artifactId: string, { asset }: Catalogue): AssetRecord | undefined {
  return [...asset.values()]
    .filter((each) => each.artifactId === artifactId)
    .toSorted(
      (a, b) => byCodePoint(a.platform, b.platform) || byCodePoint(a.namespace, b.namespace),
    )[0];
}

/** An item in the shape of an offer. */
function offerShaped(item: ItemRecord | undefined): unknown {
  if (item === undefined) return null;
  const members = [
    "id",
    "namespace",
    "title",
    "description",
    "longDescription",
    "keyImages",
    "lastModifiedDate",
    "creationDate",
    "status",
  ];
  return { ...pick(item, members), developerDisplayName: item["developer"] };
}

function pick(record: Readonly<Record<string, unknown>>, members: readonly string[]) {
  return Object.fromEntries(members.map((member) => [member, record[member]]));
}

import type { Catalogue } from "./catalogue.ts";
import type { Model } from "./model.ts";
import { byCodePoint } from "./order.ts";
import type { AssetRecord, ItemRecord } from "./records.ts";
import type { ModelEntry } from "./replay.ts";

type Subject = Pick<ModelEntry, "contextType" | "contextId">;

/** `metadata.context` of an entry: the record as it is now. */
export function contextOf({ contextType, contextId }: Subject, catalogue: Catalogue): unknown {
  switch (contextType) {
    case "offer":
    case "item": {
      const record = catalogue[contextType].get(contextId);
      return record && pick(record, ["id", "title", "namespace"]);
    }
    case "asset": {
      const record = assetOf(contextId, catalogue);
      return record && pick(record, ["id", "artifactId", "title", "namespace"]);
    }
    case "build": {
      const record = catalogue.build.get(contextId);
      return record && pick(record, ["id", "appName", "buildVersion"]);
    }
    case "sandbox":
      return null;
  }
}

/** `document` of an entry. */
export function documentOf(
  { contextType, contextId }: Subject,
  catalogue: Catalogue,
  model: Model,
): unknown {
  switch (contextType) {
    case "offer": {
      const offer = catalogue.offer.get(contextId);
      return offer && model.offer(offer);
    }
    case "item":
      return offerShaped(catalogue.item.get(contextId));
    case "asset":
      return offerShaped(catalogue.item.get(String(assetOf(contextId, catalogue)?.["itemId"])));
    case "build":
      return contextOf({ contextType, contextId }, catalogue);
    case "sandbox":
      return null;
  }
}

/** The first of an artifact's assets by platform and namespace stands for it. */
function assetOf(artifactId: string, { asset }: Catalogue): AssetRecord | undefined {
  return [...asset.values()]
    .filter((each) => each.artifactId === artifactId)
    .toSorted(
      (a, b) => byCodePoint(a.platform, b.platform) || byCodePoint(a.namespace, b.namespace),
    )[0];
}

/** An item with the members that an offer has, too. */
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

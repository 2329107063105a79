import type { JsonObject } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";

/**
 * What the changelog says of a whole record, as the catalog does when it sees one first. Of a record that is gone
 * its identity is all that is known.
 */
export function recordSummary(entry: Pick<FeedEntry, "kind" | "key" | "record">): JsonObject {
  return Object.fromEntries(
    Object.entries(membersOf(entry)).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

type Members = Record<string, string | undefined>;

function membersOf({ kind, key, record }: Pick<FeedEntry, "kind" | "key" | "record">): Members {
  const [id, platform, namespace] = key;
  switch (kind) {
    case "asset": {
      const title = record && anyUnpack(record, AssetSchema)?.title;
      return { artifactId: id, platform, title, namespace };
    }
    case "build": {
      const build = record && anyUnpack(record, BuildSchema);
      return { id, appName: build?.appName, buildVersion: build?.buildVersion };
    }
    case "sandbox":
      return { id, title: record && anyUnpack(record, SandboxSchema)?.title, namespace: id };
    default: {
      const schema = kind === "item" ? ItemSchema : OfferSchema;
      const titled = record && anyUnpack(record, schema);
      return { id, title: titled?.title, namespace: titled?.namespace };
    }
  }
}

import { z } from "zod";
import { zKeyImage } from "./key-image.ts";
import { zFlag, zInstant, zText } from "./members.ts";
import { zCustomAttribute } from "./offer.ts";

const zReleaseInfo = z
  .object({
    id: zText,
    appId: zText.meta({ description: "Name of the application; builds carry it as `appName`." }),
    platform: z.array(z.string()),
    dateAdded: zInstant,
  })
  .meta({ id: "ReleaseInfo", description: "One release of an item's application." });

const summaryShape = {
  id: z.string(),
  namespace: zText,
  title: zText,
  keyImages: z.array(zKeyImage),
  releaseInfo: z.array(zReleaseInfo),
};

/** What a list shows of an item. */
export const zItemSummary = z
  .object(summaryShape)
  .meta({ id: "ItemSummary", description: "What a list shows of an item." });

export type ItemSummary = z.output<typeof zItemSummary>;

/** What an offer grants. */
export const zItem = z
  .object({
    ...summaryShape,
    description: zText,
    longDescription: zText,
    technicalDetails: zText,
    categories: z.array(z.object({ path: z.string() }).meta({ id: "ItemCategory" })),
    status: zText,
    creationDate: zInstant,
    lastModifiedDate: zInstant,
    customAttributes: z.array(zCustomAttribute),
    entitlementName: zText,
    entitlementType: zText,
    itemType: zText,
    developer: zText,
    developerId: zText,
    eulaIds: z.array(z.string()),
    endOfSupport: zFlag,
    unsearchable: zFlag,
    applicationId: zText,
    requiresSecureAccount: zFlag,
    selfRefundable: zFlag,
  })
  .meta({ id: "Item", description: "What an offer grants. A null member is unknown." });

export type Item = z.output<typeof zItem>;

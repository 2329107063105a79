import { z } from "zod";
import { zText } from "./members.ts";
import { zOffer } from "./offer.ts";

const zContext = z
  .object({
    id: zText.meta({
      description: "Id of the record.",
      example: "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
    }),
    artifactId: z
      .string()
      .meta({ description: "Name of an asset's application.", example: "Calluna" })
      .optional(),
    appName: zText
      .meta({ description: "Name of a build's application.", example: "Calluna" })
      .optional(),
    buildVersion: zText
      .meta({ description: "Version of a build.", example: "1.4.2-8812" })
      .optional(),
    title: zText
      .meta({ description: "Title of the record.", example: "Moonlit Harbour" })
      .optional(),
    namespace: zText.meta({ description: "Sandbox of the record.", example: "calluna" }).optional(),
  })
  .meta({
    id: "ChangeContext",
    description:
      "The record that changed, as it stands now. Offers and items have title and namespace, assets also artifactId; builds have appName and buildVersion.",
  });

export type ChangelogContext = z.output<typeof zContext>;

// Any JSON value.
const zValue = z.unknown().optional();

/** How a member of a record changed. */
export const zChange = z
  .object({
    changeType: z
      .enum(["insert", "update", "delete"])
      .meta({ description: "Whether the member came, changed or went." }),
    action: z
      .enum(["insert", "update", "delete"])
      .meta({ description: "The same as `changeType`." }),
    type: zText.meta({ description: "JSON type of the value.", example: "string" }),
    field: z.string().meta({
      description: "Member of the record; `*` is the whole record.",
      example: "title",
    }),
    oldValue: zValue.meta({
      description: "Value before; absent for an insert.",
      example: "Moonlit Harbor",
    }),
    newValue: zValue.meta({
      description: "Value after; absent for a delete.",
      example: "Moonlit Harbour",
    }),
    oldValueRaw: zValue.meta({
      description:
        "Value before as another system wrote it, often JSON in a string; take `oldValue` instead.",
      example: '"Moonlit Harbor"',
      deprecated: true,
    }),
    newValueRaw: zValue.meta({
      description: "Value after as another system wrote it; take `newValue` instead.",
      example: '"Moonlit Harbour"',
      deprecated: true,
    }),
  })
  .meta({ id: "Change", description: "One difference between two states of a record." });

export type Change = z.output<typeof zChange>;

const zBuildDocument = z
  .object({
    id: z
      .string()
      .meta({ description: "Id of the build.", example: "b1946ac92492d2347c6235b4d2611184" }),
    appName: zText.meta({ description: "Name of the application.", example: "Calluna" }),
    buildVersion: zText.meta({ description: "Version of the build.", example: "1.4.2-8812" }),
  })
  .meta({ id: "BuildDocument", description: "What a changelog entry shows of a build." });

const zDocument = z.union([zOffer, zBuildDocument]).nullable();

export type ChangelogDocument = z.output<typeof zDocument>;

/** One observed change of one record. */
export const zChangelogEntry = z
  .object({
    _id: z.string().meta({
      description: "Id of the change; its place in the log.",
      example: "catalog-000000000001f",
    }),
    timestamp: z
      .string()
      .meta({ format: "date-time", example: "2021-03-16T19:05:41.000Z" })
      .nullable()
      .meta({ description: "When the new state was seen." }),
    metadata: z
      .object({
        contextType: z.string().meta({
          description:
            "`offer`, `item`, `asset`, `build`, `sandbox`, or what another source calls it.",
          example: "offer",
        }),
        contextId: z.string().meta({
          description: "Id of the record; an asset's is its artifactId.",
          example: "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
        }),
        context: zContext.nullable().meta({
          description: "Null when the record is unknown, or its lookup failed or took too long.",
        }),
        changes: z.array(zChange).meta({ description: "What differs, member by member." }),
      })
      .meta({ id: "ChangelogMetadata", description: "Which record changed, and how." }),
    document: zDocument.optional().meta({
      description:
        "The offer; for an item, and for an asset its item, an offer with the members it has; for a build its id, appName and buildVersion. Null as `context` is; absent in the changelist.",
    }),
  })
  .meta({ id: "ChangelogEntry", description: "One observed change of one record." });

export type ChangelogEntry = z.output<typeof zChangelogEntry>;

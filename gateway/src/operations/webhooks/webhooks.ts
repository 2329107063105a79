import type { Country } from "@storefront/domain/identifiers";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { badRequest, notFound } from "../../errors/public-error.ts";
import { zList, zObject } from "../../records/members.ts";
import {
  deliveryOf,
  eventKindsOf,
  webhookOf,
  zCreatedWebhook,
  zDelivery,
  zRotatedSecret,
  zWebhook,
  zWebhookEvents,
} from "../../records/webhook.ts";
import { currentRegions } from "../../regions/current-regions.ts";
import { zIdentifier, zQueryId, zTextUpTo, zWholeNumber } from "../../schemas/parameters.ts";
import { requireMember } from "../../upstream/upstream-error.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import { mutation, operation } from "../operation.ts";

const zWebhookId = zIdentifier("Id of the webhook.", "0191f5d2-7a3b-4c1e-9f00-2b6c1d0e8a11");

const zUrl = zTextUpTo(2048).meta({
  description:
    "An `https` address, public unless the operator permits others; without user, password and fragment. Redirects are not followed.",
  example: "https://shop.example/webhooks",
});

const zDescription = zTextUpTo(256).meta({
  description: "For people.",
  example: "Price alerts of the newsletter",
});

const zWebhookCountry = z
  .string("must be two letters")
  .regex(/^[A-Za-z]{2}$/, "must be two letters")
  .overwrite((country) => country.toUpperCase())
  .brand<"Country">()
  .meta({
    description:
      "Country of the prices, ISO 3166-1 alpha-2. Without it price changes of all regions are sent, and the query is that of the default country.",
    example: "DE",
  });

/** Every operation on webhooks is for administrators. */
const administered = { tag: "webhooks", isAdmin: true } as const;

function webhooksOf({ clients: { webhooks } }: RequestContext) {
  if (webhooks === undefined) throw notFound("Path not found");
  return webhooks;
}

export const createWebhook = mutation({
  ...administered,
  method: "POST",
  path: "/webhooks",
  operationId: "createWebhook",
  status: 201,
  summary: "Create a webhook",
  description:
    "The endpoint receives events from now on, by the Standard Webhooks specification: `{type, timestamp, data}` with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. At least once, and in order for each record.",
  bodyExample: { url: "https://shop.example/webhooks", events: ["price"], country: "DE" },
  input: z.object({
    url: zUrl,
    events: zWebhookEvents,
    queryId: zQueryId.optional(),
    country: zWebhookCountry.optional(),
    description: zDescription.optional(),
  }),
  failures: [409],
  output: zCreatedWebhook,
  resolve: async ({ ctx, input: { url, events, queryId, country, description } }) => {
    const hasQuery = events.includes("query");
    if (hasQuery && queryId === undefined) throw badRequest("queryId must be given for query.");
    if (!hasQuery && queryId !== undefined)
      throw badRequest("queryId must be given only for query.");
    if (queryId !== undefined) await requireQuery(ctx, queryId);
    const { webhook, secret } = await webhooksOf(ctx).createWebhook(ctx, {
      url,
      events: eventKindsOf(events),
      queryId: queryId ?? "",
      country: country ?? "",
      region: regionOf(country),
      description: description ?? "",
    });
    return { ...webhookOf(requireMember(webhook, "webhooks.CreateWebhook")), secret };
  },
});

async function requireQuery(ctx: RequestContext, queryId: string): Promise<void> {
  try {
    await ctx.clients.search.getSavedQuery(ctx, { queryId });
  } catch (error) {
    const isUnknown =
      error instanceof TRPCError && (error.code === "NOT_FOUND" || error.code === "BAD_REQUEST");
    throw isUnknown ? badRequest("queryId must be the id of a saved query.") : error;
  }
}

function regionOf(country: Country | undefined): string {
  if (country === undefined) return "";
  const resolved = currentRegions.resolve(country);
  if (resolved === undefined)
    throw badRequest(`country must be in a pricing region: ${country} is in none.`);
  return resolved.region;
}

export const listWebhooks = operation({
  ...administered,
  path: "/webhooks",
  operationId: "listWebhooks",
  summary: "List the webhooks",
  description: "All webhooks, oldest first, without their secrets.",
  input: z.object({}),
  output: zObject("WebhookList", "The webhooks.", {
    webhooks: zList(zWebhook, "Oldest first."),
  }),
  resolve: async ({ ctx }) => {
    const { webhooks } = await webhooksOf(ctx).listWebhooks(ctx, {});
    return { webhooks: webhooks.map(webhookOf) };
  },
});

export const getWebhook = operation({
  ...administered,
  path: "/webhooks/{id}",
  operationId: "getWebhook",
  summary: "Get a webhook",
  description: "A webhook without its secret.",
  input: z.object({ id: zWebhookId }),
  output: zWebhook,
  resolve: async ({ ctx, input: { id } }) => {
    const { webhook } = await webhooksOf(ctx).getWebhook(ctx, { id });
    return webhookOf(requireMember(webhook, "webhooks.GetWebhook"));
  },
});

export const updateWebhook = mutation({
  ...administered,
  method: "PATCH",
  path: "/webhooks/{id}",
  operationId: "updateWebhook",
  summary: "Change a webhook",
  description:
    "Changes the given members. `active: false` pauses it: events are then stored for three days. Resumed, it is sent what is pending at once.",
  bodyExample: { active: false },
  input: z.object({
    id: zWebhookId,
    active: z
      .boolean("must be true or false")
      .meta({ description: "False pauses the webhook.", example: false })
      .optional(),
    url: zUrl.optional(),
    description: zDescription.optional(),
  }),
  output: zWebhook,
  resolve: async ({ ctx, input: { id, active, url, description } }) => {
    const { webhook } = await webhooksOf(ctx).updateWebhook(ctx, {
      id,
      ...(active !== undefined && { active }),
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
    });
    return webhookOf(requireMember(webhook, "webhooks.UpdateWebhook"));
  },
});

export const deleteWebhook = mutation({
  ...administered,
  method: "DELETE",
  path: "/webhooks/{id}",
  operationId: "deleteWebhook",
  status: 204,
  summary: "Delete a webhook",
  description: "Deletes a webhook with its deliveries; nothing more is sent.",
  input: z.object({ id: zWebhookId }),
  output: z.null(),
  resolve: async ({ ctx, input: { id } }) => {
    await webhooksOf(ctx).deleteWebhook(ctx, { id });
    return null;
  },
});

export const testWebhook = mutation({
  ...administered,
  method: "POST",
  path: "/webhooks/{id}/test",
  operationId: "testWebhook",
  status: 202,
  summary: "Send a test",
  description:
    "Sends a delivery of type `webhook.test`, signed and retried as any other; `data` is `{webhookId}`.",
  input: z.object({ id: zWebhookId }),
  output: zDelivery,
  resolve: async ({ ctx, input: { id } }) => {
    const { delivery } = await webhooksOf(ctx).testWebhook(ctx, { id });
    return deliveryOf(requireMember(delivery, "webhooks.TestWebhook"));
  },
});

export const rotateWebhookSecret = mutation({
  ...administered,
  method: "POST",
  path: "/webhooks/{id}/rotate-secret",
  operationId: "rotateWebhookSecret",
  summary: "Replace the secret of a webhook",
  description: "Makes a new secret. Deliveries are signed with the previous one too for 24 hours.",
  input: z.object({ id: zWebhookId }),
  output: zRotatedSecret,
  resolve: async ({ ctx, input: { id } }) => {
    const { secret } = await webhooksOf(ctx).rotateSecret(ctx, { id });
    return { secret };
  },
});

export const listWebhookDeliveries = operation({
  ...administered,
  path: "/webhooks/{id}/deliveries",
  operationId: "listWebhookDeliveries",
  summary: "List the deliveries of a webhook",
  description: "Deliveries, newest first. They are stored for three days after their last attempt.",
  input: z.object({
    id: zWebhookId,
    after: zIdentifier(
      "The `next` of the part before; absent for the first one.",
      "5c1f6b0e-2d34-4f61-8f0e-6a1f1f2f7f10",
    ).optional(),
    limit: zWholeNumber(1)
      .overwrite((limit) => Math.min(limit, 100))
      .default(20)
      .meta({ description: "Most deliveries; a value above 100 is lowered to 100.", example: 20 }),
  }),
  output: zObject("WebhookDeliveryPage", "A part of the deliveries.", {
    deliveries: zList(zDelivery, "Newest first."),
    next: z.string().nullable().meta({
      description: "What `after` takes for the next part; null at the end.",
      example: "5c1f6b0e-2d34-4f61-8f0e-6a1f1f2f7f10",
    }),
  }),
  resolve: async ({ ctx, input: { id, after, limit } }) => {
    const request = { webhookId: id, after: after ?? "", pageSize: limit };
    const { deliveries, next } = await webhooksOf(ctx).listDeliveries(ctx, request);
    return { deliveries: deliveries.map(deliveryOf), next: next || null };
  },
});

export const redeliverWebhook = mutation({
  ...administered,
  method: "POST",
  path: "/webhooks/{id}/deliveries/{deliveryId}/redeliver",
  operationId: "redeliverWebhook",
  status: 202,
  summary: "Repeat a delivery",
  description: "Sends a completed delivery again, with the same `webhook-id`.",
  input: z.object({
    id: zWebhookId,
    deliveryId: zIdentifier("Id of the delivery.", "5c1f6b0e-2d34-4f61-8f0e-6a1f1f2f7f10"),
  }),
  output: zDelivery,
  resolve: async ({ ctx, input: { id, deliveryId } }) => {
    const request = { webhookId: id, deliveryId };
    const { delivery } = await webhooksOf(ctx).redeliver(ctx, request);
    return deliveryOf(requireMember(delivery, "webhooks.Redeliver"));
  },
});

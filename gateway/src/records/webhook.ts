import { DeliveryStatus, EventKind } from "@storefront/contracts/webhooks/v1/webhook_service";
import type {
  Delivery as DeliveryRecord,
  Webhook as WebhookRecord,
} from "@storefront/contracts/webhooks/v1/webhook_service";
import { z } from "zod";
import { instantOf } from "./instant.ts";
import { zCount, zInstant, zList, zObject, zString, zText } from "./members.ts";

/** What a webhook may receive. */
export const webhookEvents = ["entry", "price", "query"] as const;

export type WebhookEventName = (typeof webhookEvents)[number];

const zEventName = z.enum(webhookEvents, `must be one of ${webhookEvents.join(", ")}`);

/** What a webhook receives, as callers write it. */
export const zWebhookEvents = z
  .array(zEventName, "must be a list")
  .min(1, "must have at least one element")
  .refine((events) => new Set(events).size === events.length, "must have no element twice")
  .meta({
    description:
      "`entry`: entries of the changelog; `price`: changes of prices; `query`: offers that enter or leave the result of a saved query.",
    example: ["price"],
  });

const webhookShape = {
  id: zString("Id of the webhook.", "0191f5d2-7a3b-4c1e-9f00-2b6c1d0e8a11"),
  url: zString("Where webhooks are posted to.", "https://shop.example/webhooks"),
  events: zList(zEventName, "What it receives."),
  queryId: zText("Saved query of `query`; null without.", "9e107d9d372bb6826bd81d3542a419d6"),
  country: zText(
    "Country of the prices; null for prices of all regions, and for queries in the default country.",
    "DE",
  ),
  description: zText("For people; null when there is none.", "Price alerts of the newsletter"),
  active: z.boolean().meta({
    description: "Whether events are sent. While it is paused they are stored for three days.",
    example: true,
  }),
  pausedReason: zText(
    "Why the service paused it; null when a caller did, and while it is active.",
    "A delivery failed for 3 days.",
  ),
  failingSince: zInstant("When the first attempt failed since the last success; null otherwise."),
  createdAt: zInstant("When it was created."),
};

export const zWebhook = zObject("Webhook", "An endpoint, and what it receives.", webhookShape);

const zSecret = zString(
  "Signs its deliveries, by Standard Webhooks; only this response has it.",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
);

export const zCreatedWebhook = zObject("CreatedWebhook", "A new webhook, and its secret.", {
  ...webhookShape,
  secret: zSecret,
});

export const zRotatedSecret = zObject(
  "RotatedSecret",
  "A new secret. The previous one signs too for 24 hours.",
  { secret: zSecret },
);

const statuses = ["pending", "delivered", "failed"] as const;

const statusNames: Record<DeliveryStatus, (typeof statuses)[number]> = {
  [DeliveryStatus.UNSPECIFIED]: "pending",
  [DeliveryStatus.PENDING]: "pending",
  [DeliveryStatus.DELIVERED]: "delivered",
  [DeliveryStatus.FAILED]: "failed",
};

export const zDelivery = zObject("WebhookDelivery", "One event for one webhook.", {
  id: zString("The `webhook-id` header.", "5c1f6b0e-2d34-4f61-8f0e-6a1f1f2f7f10"),
  type: zString(
    "`entry.created`, `price.changed`, `query.matched` or `webhook.test`.",
    "price.changed",
  ),
  status: z.enum(statuses).meta({
    description: "`failed` after three days of retries.",
    example: "delivered",
  }),
  attempts: zCount("Requests that were made.", 1),
  responseStatus: z
    .int()
    .nullable()
    .meta({ description: "Status of the last response; null without one.", example: 204 }),
  lastAttemptAt: zInstant("When the last request was made; null before the first."),
  nextAttemptAt: zInstant("When the next request is due; null unless it is pending."),
});

export function webhookOf(record: WebhookRecord): z.output<typeof zWebhook> {
  const { id, url, events, active } = record;
  return {
    id,
    url,
    events: events.flatMap((kind) => eventNames.get(kind) ?? []),
    queryId: record.queryId || null,
    country: record.country || null,
    description: record.description || null,
    active,
    pausedReason: record.pausedReason || null,
    failingSince: instantOf(record.failingSince),
    createdAt: instantOf(record.createdAt),
  };
}

export function deliveryOf(record: DeliveryRecord): z.output<typeof zDelivery> {
  const { id, type, status, attempts, responseStatus = null } = record;
  return {
    id,
    type,
    // One of a later release is not known here.
    status: statusNames[status] ?? "pending",
    attempts,
    responseStatus,
    lastAttemptAt: instantOf(record.lastAttemptAt),
    nextAttemptAt: instantOf(record.nextAttemptAt),
  };
}

const eventKinds: Record<WebhookEventName, EventKind> = {
  entry: EventKind.ENTRY,
  price: EventKind.PRICE,
  query: EventKind.QUERY,
};

const eventNames = new Map<EventKind, WebhookEventName>(
  webhookEvents.map((name) => [eventKinds[name], name]),
);

export function eventKindsOf(names: readonly WebhookEventName[]): EventKind[] {
  return names.map((name) => eventKinds[name]);
}

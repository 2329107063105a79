import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { DeliveryStatus } from "@storefront/contracts/webhooks/v1/webhook_service";
import type {
  CreateWebhookRequest,
  WebhookService,
} from "@storefront/contracts/webhooks/v1/webhook_service";
import { invalidFields, notFound, ServiceError } from "@storefront/rpc";
import { at } from "./records.ts";

/** The token that the gateways of tests require of administrators. */
export const adminToken = "a token of an administrator";

/** The one webhook at the start, and its one delivery. */
export const webhookId = "0191f5d2-7a3b-4c1e-9f00-2b6c1d0e8a11";
export const deliveryId = "5c1f6b0e-2d34-4f61-8f0e-6a1f1f2f7f10";

/** URL of a webhook that is one too many. */
export const oneTooMany = "https://one-too-many.example";

/** Webhooks that are stored, but never called. */
export function createWebhooks() {
  let stored = new Map<string, ReturnType<typeof webhookOf>>();
  const reset = () => {
    stored = new Map([[webhookId, webhookOf({ url: "https://shop.example/", events: [1] })]]);
  };
  reset();
  const find = (id: string) => {
    const found = stored.get(id);
    if (found === undefined) throw notFound(ErrorReason.WEBHOOK_NOT_FOUND, `there is no ${id}`);
    return found;
  };
  const handlers: Partial<ServiceImpl<typeof WebhookService>> = {
    createWebhook(request) {
      if (request.url.startsWith("http:")) {
        throw invalidFields([{ field: "url", description: "must be an https:// address" }]);
      }
      if (request.url === oneTooMany) {
        throw new ServiceError({
          code: Code.ResourceExhausted,
          reason: ErrorReason.TOO_MANY_WEBHOOKS,
          message: "there is one",
        });
      }
      const webhook = { ...webhookOf(request), id: "new" };
      stored.set(webhook.id, webhook);
      return { webhook, secret: "whsec_one" };
    },
    listWebhooks: () => ({ webhooks: [...stored.values()] }),
    getWebhook: ({ id }) => ({ webhook: find(id) }),
    updateWebhook({ id, ...changes }) {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      const webhook = { ...find(id), ...Object.fromEntries(given) };
      stored.set(id, webhook);
      return { webhook };
    },
    deleteWebhook({ id }) {
      find(id);
      stored.delete(id);
      return {};
    },
    testWebhook({ id }) {
      find(id);
      return { delivery: { ...delivery, type: "webhook.test" } };
    },
    rotateSecret({ id }) {
      find(id);
      return { secret: "whsec_two" };
    },
    listDeliveries({ webhookId: id, after }) {
      find(id);
      return after === "" ? { deliveries: [delivery], next: deliveryId } : { deliveries: [] };
    },
    redeliver(request) {
      find(request.webhookId);
      if (request.deliveryId !== deliveryId) {
        throw notFound(ErrorReason.DELIVERY_NOT_FOUND, "there is one");
      }
      return { delivery: { ...delivery, status: DeliveryStatus.PENDING } };
    },
  };
  return { handlers, reset };
}

const delivery = {
  id: deliveryId,
  type: "price.changed",
  status: DeliveryStatus.DELIVERED,
  attempts: 2,
  responseStatus: 204,
  lastAttemptAt: at("2026-03-02T10:00:00Z"),
};

function webhookOf({
  url,
  events,
  queryId = "",
  country = "",
  description = "",
}: Pick<CreateWebhookRequest, "url" | "events"> & Partial<CreateWebhookRequest>) {
  const createdAt = at("2026-03-01T10:00:00Z");
  return { id: webhookId, url, events, queryId, country, description, active: true, createdAt };
}

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { ServiceImpl } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import {
  DeliveryStatus,
  EventKind,
  ListDeliveriesRequestSchema,
} from "@storefront/contracts/webhooks/v1/webhook_service";
import type {
  DeliverySchema,
  WebhookSchema,
  WebhookService,
} from "@storefront/contracts/webhooks/v1/webhook_service";
import { invalidFields, notFound, pageOf, ServiceError } from "@storefront/rpc";
import type { EventName } from "../domain/webhook-event.ts";
import type { Delivery, DeliveryStore } from "../store/delivery-store.ts";
import { endpointsMax } from "../store/endpoint-store.ts";
import type { Endpoint, EndpointStore } from "../store/endpoint-store.ts";

export interface WebhookHandlerDependencies {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  /** The fault of the URL of a webhook, as the rest of a sentence. */
  urlFault: (url: string) => string | undefined;
  /** Called when deliveries may have become due, or an endpoint may need another stream. */
  onDue: () => void;
}

export function webhookHandlers(deps: WebhookHandlerDependencies) {
  const { endpoints, deliveries, onDue } = deps;
  const requireUrl = (url: string) => {
    const fault = deps.urlFault(url);
    if (fault !== undefined) throw invalidFields([{ field: "url", description: fault }]);
  };
  const requireEndpoint = async (id: string) => found(await endpoints.find(storedId(id)), id);
  return {
    async createWebhook({ url, events, queryId, country, region, description }) {
      requireUrl(url);
      if (events.includes(EventKind.QUERY) !== (queryId !== "")) {
        const rule = "is required with the event QUERY, and allowed with no other";
        throw invalidFields([{ field: "query_id", description: rule }]);
      }
      const created = await endpoints.create({
        url,
        events: events.map(nameOfEvent),
        queryId: queryId || undefined,
        country: country || undefined,
        region: region || undefined,
        description,
      });
      if (created === undefined) throw tooManyWebhooks();
      onDue();
      return { webhook: webhookOf(created.endpoint), secret: created.secret };
    },
    async listWebhooks() {
      return { webhooks: (await endpoints.list()).map(webhookOf) };
    },
    async getWebhook({ id }) {
      return { webhook: webhookOf(await requireEndpoint(id)) };
    },
    async updateWebhook({ id, active, url, description }) {
      if (url !== undefined) requireUrl(url);
      const changes = { isActive: active, url, description };
      const webhook = webhookOf(found(await endpoints.update(storedId(id), changes), id));
      if (active === true) onDue();
      return { webhook };
    },
    async deleteWebhook({ id }) {
      if (!(await endpoints.delete(storedId(id)))) throw webhookNotFound(id);
      return {};
    },
    async testWebhook({ id }) {
      const delivery = await deliveries.createTest(storedId(id));
      if (delivery === undefined) throw webhookNotFound(id);
      onDue();
      return { delivery: deliveryOf(delivery) };
    },
    async rotateSecret({ id }) {
      const secret = await endpoints.rotateSecret(storedId(id));
      if (secret === undefined) throw webhookNotFound(id);
      return { secret };
    },
    async listDeliveries(request) {
      const { webhookId, after } = request;
      const { id } = await requireEndpoint(webhookId);
      const { pageSize } = pageOf(ListDeliveriesRequestSchema, request);
      // One more shows whether there is a next page.
      const listed = await deliveries.list(id, {
        limit: pageSize + 1,
        after: after === "" ? undefined : storedId(after),
      });
      if (listed === undefined) throw deliveryNotFound(after);
      const page = listed.slice(0, pageSize);
      const next = listed.length > pageSize ? (page.at(-1)?.id ?? "") : "";
      return { deliveries: page.map(deliveryOf), next };
    },
    async redeliver({ webhookId, deliveryId }) {
      const { id } = await requireEndpoint(webhookId);
      const delivery = await deliveries.redeliver(id, storedId(deliveryId));
      if (delivery === undefined) throw deliveryNotFound(deliveryId);
      onDue();
      return { delivery: deliveryOf(delivery) };
    },
  } satisfies ServiceImpl<typeof WebhookService>;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The same id; an unused one in place of an id that is no UUID, which the database would refuse. */
function storedId(id: string): string {
  return uuid.test(id) ? id : "00000000-0000-0000-0000-000000000000";
}

function found(endpoint: Endpoint | undefined, id: string): Endpoint {
  if (endpoint === undefined) throw webhookNotFound(id);
  return endpoint;
}

function webhookNotFound(webhookId: string): ServiceError {
  return notFound(ErrorReason.WEBHOOK_NOT_FOUND, `there is no webhook ${webhookId}`, { webhookId });
}

function deliveryNotFound(deliveryId: string): ServiceError {
  const message = `the webhook has no delivery ${deliveryId}`;
  return notFound(ErrorReason.DELIVERY_NOT_FOUND, message, { deliveryId });
}

function tooManyWebhooks(): ServiceError {
  return new ServiceError({
    code: Code.ResourceExhausted,
    reason: ErrorReason.TOO_MANY_WEBHOOKS,
    message: `there are ${endpointsMax} webhooks, which is the limit`,
    metadata: { max: String(endpointsMax) },
  });
}

const eventKinds: Readonly<Record<EventName, EventKind>> = {
  entry: EventKind.ENTRY,
  price: EventKind.PRICE,
  query: EventKind.QUERY,
};

function nameOfEvent(kind: EventKind): EventName {
  if (kind === EventKind.ENTRY) return "entry";
  return kind === EventKind.PRICE ? "price" : "query";
}

function webhookOf(endpoint: Endpoint): MessageInitShape<typeof WebhookSchema> {
  const { id, url, events, description, failingSince } = endpoint;
  return {
    id,
    url,
    events: events.map((event) => eventKinds[event]),
    queryId: endpoint.queryId ?? "",
    country: endpoint.country ?? "",
    description,
    active: endpoint.isActive,
    pausedReason: endpoint.pausedReason ?? "",
    ...(failingSince && { failingSince: timestampFromDate(failingSince) }),
    createdAt: timestampFromDate(endpoint.createdAt),
  };
}

const statuses: Readonly<Record<Delivery["status"], DeliveryStatus>> = {
  pending: DeliveryStatus.PENDING,
  delivered: DeliveryStatus.DELIVERED,
  failed: DeliveryStatus.FAILED,
};

function deliveryOf(delivery: Delivery): MessageInitShape<typeof DeliverySchema> {
  const { id, type, status, attempts, responseStatus, lastAttemptAt, nextAttemptAt } = delivery;
  return {
    id,
    type,
    status: statuses[status],
    attempts,
    ...(responseStatus !== null && { responseStatus }),
    ...(lastAttemptAt && { lastAttemptAt: timestampFromDate(lastAttemptAt) }),
    ...(status === "pending" && { nextAttemptAt: timestampFromDate(nextAttemptAt) }),
  };
}

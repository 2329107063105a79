export { Webhooks, webhooksMigrations } from "./create-webhooks.ts";
export { entrySource, priceSource, querySource } from "./domain/webhook-event.ts";
export { DeliveryStore } from "./store/delivery-store.ts";
export { EndpointStore } from "./store/endpoint-store.ts";
export type { NewEndpoint } from "./store/endpoint-store.ts";
export { createWebhooksService, webhooksService } from "./webhooks-service.ts";

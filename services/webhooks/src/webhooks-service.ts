import { WebhookService } from "@storefront/contracts/webhooks/v1/webhook_service";
import { migrationCheck } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import { option, zTokens, zUrl } from "@storefront/process";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import { defineService } from "@storefront/service-process";
import type { ServiceDependencies, ServiceParts } from "@storefront/service-process";
import { z } from "zod";
import { Webhooks, webhooksMigrations } from "./create-webhooks.ts";
import { networkList } from "./domain/address-guard.ts";
import { urlFault } from "./domain/webhook-url.ts";
import { webhookHandlers } from "./rpc/webhooks.ts";
import { DeliveryStore } from "./store/delivery-store.ts";
import { EndpointStore } from "./store/endpoint-store.ts";

const zNetworks = z
  .string()
  .transform((text) => text.split(",").map((network) => network.trim()))
  .refine(areNetworks, "must be addresses or networks such as 10.0.0.0/8, separated by commas");

function areNetworks(networks: readonly string[]): boolean {
  try {
    networkList(networks);
    return true;
  } catch {
    return false;
  }
}

const webhooksShape = {
  gatewayUrl: option("GATEWAY_URL", zUrl.default("http://127.0.0.1:4000")).describe(
    "Base URL of the gateway, whose streams webhooks follow. `start` sets it.",
  ),
  adminTokens: option("ADMIN_TOKEN", zTokens, "required").describe(
    "What calls that manage webhooks require, at least 16 characters; several, separated by commas, while one replaces another: `webhooks` takes any, the gateway sends the first. `start` sends webhooks only where this is set.",
  ),
  allowedNetworks: option("WEBHOOK_ALLOWED_NETWORKS", zNetworks.default([]), "none").describe(
    "Networks such as `10.1.0.0/16`, separated by commas, that webhooks may be sent to beside public addresses, by http too.",
  ),
};

type WebhooksSettings = z.output<z.ZodObject<typeof webhooksShape>>;

/** Sends webhooks. No service: it has no records and no feed, and follows the gateway. */
export const webhooksService = defineService({
  name: "webhooks",
  migrations: webhooksMigrations,
  shape: webhooksShape,
  rules: [],
  hasIngest: false,
  // The gateway is available then too.
  waitsForImports: true,
  create: createWebhooksService,
});

/** Composes the RPCs that manage webhooks and their sender. */
export function createWebhooksService(
  { database, logger, metrics }: Omit<ServiceDependencies, "ingestTokens">,
  { gatewayUrl, adminTokens, allowedNetworks }: WebhooksSettings,
): ServiceParts {
  const webhooks = new Webhooks({ database, gatewayUrl, allowedNetworks, logger, metrics });
  const handlerDatabase = withServiceErrors(database);
  const handlers = webhookHandlers({
    endpoints: new EndpointStore(handlerDatabase),
    deliveries: new DeliveryStore(handlerDatabase),
    urlFault: (url) => urlFault(url, webhooks.guard, allowedNetworks.length > 0),
    onDue: () => webhooks.wake(),
  });
  return {
    services: [
      provide(WebhookService, handlers, { tokens: adminTokens }),
      provideHealth([databaseProbe(database)]),
    ],
    readiness: { database: migrationCheck(database, webhooksMigrations, logger) },
    start: () => webhooks.start(),
    close: () => webhooks.close(),
  };
}

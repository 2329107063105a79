import { gatewaySettingsOf, gatewayVariables } from "@storefront/gateway";
import { catalogService } from "@storefront/service-catalog";
import { changelogService } from "@storefront/service-changelog";
import { pricingService } from "@storefront/service-pricing";
import { reviewsService } from "@storefront/service-reviews";
import { searchService } from "@storefront/service-search";
import { webhooksService } from "@storefront/service-webhooks";

/** The settings of a process that its Deployment has to agree with. */
export interface ProcessSettings {
  /** Ports by the names that manifests give them. */
  ports: Readonly<Record<string, number | undefined>>;
  shutdownDelayMs: number;
  shutdownTimeoutMs: number;
}

/** A long-running process of the product. */
export interface Process {
  name: string;
  /** Names of its environment variables. */
  variables: readonly string[];
  /** @throws ConfigError when it would not start with these. */
  settingsOf: (env: Readonly<Record<string, string>>) => ProcessSettings;
}

const services = [
  catalogService,
  changelogService,
  pricingService,
  reviewsService,
  searchService,
  webhooksService,
];

/** All long-running processes, as their own code describes them; webhooks is optional. */
export const processes: readonly Process[] = [
  {
    name: "gateway",
    variables: [...gatewayVariables.keys()],
    settingsOf(env) {
      const { port, metricsPort, gateway } = gatewaySettingsOf(env);
      const { shutdownDelayMs, shutdownTimeoutMs } = gateway;
      return { ports: { http: port, metrics: metricsPort }, shutdownDelayMs, shutdownTimeoutMs };
    },
  },
  ...services.map((service) => ({
    name: service.name,
    variables: [...service.variables.keys()],
    settingsOf(env: Readonly<Record<string, string>>) {
      const { port, grpcPort, shutdownDelayMs, shutdownTimeoutMs } = service.optionsOf(env);
      return { ports: { http: port, grpc: grpcPort }, shutdownDelayMs, shutdownTimeoutMs };
    },
  })),
];

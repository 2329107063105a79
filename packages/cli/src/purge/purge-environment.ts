import {
  clientTlsRules,
  clientTlsShape,
  isRequiredWith,
  parseEnvironment,
  zUrl,
} from "@storefront/process";
import type { Environment, EnvironmentRule, FeedName, LogLevel } from "@storefront/process";
import { zGatewayEnvironment } from "@storefront/gateway";
import { z } from "zod";
import { cloudflareEdge, fastlyEdge, varnishEdge } from "./edge.ts";
import type { Edge } from "./edge.ts";

const { LOG_LEVEL, CATALOG_URL, PRICING_URL, REVIEWS_URL, CHANGELOG_URL } =
  zGatewayEnvironment.shape;

const zId = z.string().regex(/^\w+$/, "must be an id of letters and digits");
/** As a header carries it. */
const zToken = z.string().regex(/^[\x21-\x7e]+$/, "must be a token without spaces");

/** The environment variables of `storefront purge`. */
export const zPurgeEnvironment = z.object({
  ...clientTlsShape,
  LOG_LEVEL,
  CATALOG_URL,
  PRICING_URL,
  REVIEWS_URL,
  CHANGELOG_URL,
  /** Of a Varnish with vmod xkey. */
  VARNISH_URL: zUrl.optional(),
  FASTLY_SERVICE_ID: zId.optional(),
  FASTLY_API_TOKEN: zToken.optional(),
  CLOUDFLARE_ZONE_ID: zId.optional(),
  CLOUDFLARE_API_TOKEN: zToken.optional(),
});

const oneEdge: EnvironmentRule = ({ VARNISH_URL, FASTLY_SERVICE_ID, CLOUDFLARE_ZONE_ID }) =>
  [VARNISH_URL, FASTLY_SERVICE_ID, CLOUDFLARE_ZONE_ID].filter(Boolean).length === 1
    ? undefined
    : {
        variable: "VARNISH_URL",
        rule: "or FASTLY_SERVICE_ID or CLOUDFLARE_ZONE_ID must be set, and only one of them",
      };

const rules = [
  oneEdge,
  isRequiredWith("FASTLY_API_TOKEN", "FASTLY_SERVICE_ID"),
  isRequiredWith("FASTLY_SERVICE_ID", "FASTLY_API_TOKEN"),
  isRequiredWith("CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ZONE_ID"),
  isRequiredWith("CLOUDFLARE_ZONE_ID", "CLOUDFLARE_API_TOKEN"),
  ...clientTlsRules,
];

/** What is purged, and of whose writes. */
export interface PurgeSettings {
  logLevel: LogLevel;
  edge: Edge;
  /** Base URLs of the services' Connect ports. */
  feedUrls: Record<FeedName, string>;
}

/** @throws ConfigError naming all that is wrong. */
export function purgeSettingsOf(env: Environment): PurgeSettings {
  const [config] = parseEnvironment([zPurgeEnvironment], env, rules);
  return {
    logLevel: config.LOG_LEVEL,
    edge: edgeOf(config),
    feedUrls: {
      catalog: config.CATALOG_URL,
      pricing: config.PRICING_URL,
      reviews: config.REVIEWS_URL,
      changelog: config.CHANGELOG_URL,
    },
  };
}

/** The rules see to it that there is one. */
function edgeOf(config: z.output<typeof zPurgeEnvironment>): Edge {
  const { VARNISH_URL, FASTLY_SERVICE_ID, FASTLY_API_TOKEN = "" } = config;
  const { CLOUDFLARE_ZONE_ID = "", CLOUDFLARE_API_TOKEN = "" } = config;
  if (VARNISH_URL !== undefined) return varnishEdge(VARNISH_URL);
  if (FASTLY_SERVICE_ID !== undefined) return fastlyEdge(FASTLY_SERVICE_ID, FASTLY_API_TOKEN);
  return cloudflareEdge(CLOUDFLARE_ZONE_ID, CLOUDFLARE_API_TOKEN);
}

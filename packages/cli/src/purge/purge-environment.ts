import {
  byService,
  clientTlsRules,
  clientTlsShape,
  isRequiredWith,
  option,
  parseEnvironment,
  processShape,
  variablesIn,
  zServiceUrl,
  zUrl,
} from "@storefront/process";
import type { Environment, EnvironmentRule } from "@storefront/process";
import { z } from "zod";
import { cloudflareEdge, fastlyEdge, varnishEdge } from "./edge.ts";
import type { Edge } from "./edge.ts";

const zId = z.string().regex(/^\w+$/, "must be an id of letters and digits");
/** As a header carries it. */
const zToken = z.string().regex(/^[\x21-\x7e]+$/, "must be a token without spaces");

const zEdge = z.object({
  varnishUrl: option("VARNISH_URL", zUrl.optional()).describe(
    "Base URL of a Varnish with vmod xkey. Exactly one of it, `FASTLY_SERVICE_ID` and `CLOUDFLARE_ZONE_ID` is set.",
  ),
  fastlyServiceId: option("FASTLY_SERVICE_ID", zId.optional()).describe(
    "Id of a service of Fastly.",
  ),
  fastlyApiToken: option("FASTLY_API_TOKEN", zToken.optional()).describe(
    "Required with it: a token that may purge by key.",
  ),
  cloudflareZoneId: option("CLOUDFLARE_ZONE_ID", zId.optional()).describe(
    "Id of a zone of Cloudflare.",
  ),
  cloudflareApiToken: option("CLOUDFLARE_API_TOKEN", zToken.optional()).describe(
    "Required with it: a token that may purge the zone.",
  ),
});

const schemas = [
  zEdge,
  z.object(byService(zServiceUrl)).omit({ search: true }),
  z.object({ ...clientTlsShape, logLevel: processShape.logLevel }),
] as const;

/** Schemas of the environment variables of `storefront purge`, by their names. */
export const purgeVariables = variablesIn(schemas);

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

/** What is purged, and of whose writes. @throws ConfigError naming all that is wrong. */
export function purgeSettingsOf(env: Environment) {
  const [edge, feedUrls, { logLevel }] = parseEnvironment(schemas, env, rules);
  return { logLevel, edge: edgeOf(edge), feedUrls };
}

/** The rules see to it that there is one. */
function edgeOf(config: z.output<typeof zEdge>): Edge {
  const { varnishUrl, fastlyServiceId, fastlyApiToken = "" } = config;
  const { cloudflareZoneId = "", cloudflareApiToken = "" } = config;
  if (varnishUrl !== undefined) return varnishEdge(varnishUrl);
  if (fastlyServiceId !== undefined) return fastlyEdge(fastlyServiceId, fastlyApiToken);
  return cloudflareEdge(cloudflareZoneId, cloudflareApiToken);
}

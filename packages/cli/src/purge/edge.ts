import { messageOf, UserError } from "../user-error.ts";
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

/** A CDN that purges by tag. */
export interface Edge {
  readonly name: string;
  /** Tags that one call may have. */
  readonly tagsPerCall: number;
  /**
   * Purges every response that has any of these tags.
   *
   * @throws PurgeError when some may still be cached
   */
  purge(tags: readonly string[]): Promise<void>;
}

/** A purge may have failed. */
export class PurgeError extends UserError {
  /** From the edge's `Retry-After`, in milliseconds; 0 without one. */
  readonly retryAfterMs: number;

  constructor(
    reason: string,
    { retryAfterMs = 0, cause }: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(`The edge cannot be purged: ${reason}.`, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** Longest wait for the response to one call, in milliseconds. */
const timeoutMs = 10_000;

async function call(url: string, init: RequestInit): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { redirect: "error", ...init, signal }).catch(
    (cause: unknown) => {
      throw new PurgeError(messageOf(cause), { cause });
    },
  );
  // So that its connection is reused. The body is not reported, since it may repeat the token.
  await response.arrayBuffer().catch(() => undefined);
  if (response.status === 200) return;
  const retryAfterMs = (Number(response.headers.get("retry-after")) || 0) * 1000;
  throw new PurgeError(`it responded with status ${response.status}`, { retryAfterMs });
}

/**
 * A Varnish with vmod xkey and the VCL in `deploy/varnish`. Its limit is that of a header line, 8 KiB.
 *
 * Source: https://github.com/varnish/varnish-modules/blob/master/src/vmod_xkey.vcc
 *
 * @param url such as `http://varnish:6081`
 */
export function varnishEdge(url: string): Edge {
  return {
    name: `varnish ${url}`,
    tagsPerCall: 800,
    async purge(tags) {
      await call(url, { method: "PURGE", headers: { "xkey-purge": tags.join(" ") } });
    },
  };
}

/**
 * A service of Fastly.
 *
 * Source: https://www.fastly.com/documentation/reference/api/purging/
 *
 * @param apiUrl default: Fastly's own
 */
export function fastlyEdge(
  serviceId: string,
  token: string,
  apiUrl = "https://api.fastly.com",
): Edge {
  return {
    name: `fastly ${serviceId}`,
    tagsPerCall: 256,
    async purge(tags) {
      await call(`${apiUrl}/service/${serviceId}/purge`, {
        method: "POST",
        headers: { "Fastly-Key": token, "Surrogate-Key": tags.join(" ") },
      });
    },
  };
}

/**
 * A zone of Cloudflare.
 *
 * Source: https://developers.cloudflare.com/api/resources/cache/methods/purge/
 *
 * @param apiUrl default: Cloudflare's own
 */
export function cloudflareEdge(
  zoneId: string,
  token: string,
  apiUrl = "https://api.cloudflare.com/client/v4",
): Edge {
  return {
    name: `cloudflare ${zoneId}`,
    tagsPerCall: 30,
    async purge(tags) {
      await call(`${apiUrl}/zones/${zoneId}/purge_cache`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ tags }),
      });
    },
  };
}

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

/** The edge to purge and the feeds to follow. @throws ConfigError naming all wrong variables. */
export function purgeSettingsOf(env: Environment) {
  const [edge, feedUrls, { logLevel }] = parseEnvironment(schemas, env, rules);
  return { logLevel, edge: edgeOf(edge), feedUrls };
}

/** The rules guarantee that there is one. */
function edgeOf(config: z.output<typeof zEdge>): Edge {
  const { varnishUrl, fastlyServiceId, fastlyApiToken = "" } = config;
  const { cloudflareZoneId = "", cloudflareApiToken = "" } = config;
  if (varnishUrl !== undefined) return varnishEdge(varnishUrl);
  if (fastlyServiceId !== undefined) return fastlyEdge(fastlyServiceId, fastlyApiToken);
  return cloudflareEdge(cloudflareZoneId, cloudflareApiToken);
}

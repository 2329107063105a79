import { zLogLevel, zPort, zUrl } from "@storefront/config";
import { z } from "zod";
import { protectionShape } from "./protection/environment.ts";

// As browsers send it: scheme, host and a port that is not the scheme's own.
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** The gateway's environment variables. */
export const zGatewayEnvironment = z.object({
  PORT: zPort.default(4000),
  /** Address to listen on; all of them when absent. */
  HOST: z.string().optional(),
  CATALOG_URL: zUrl.default("http://127.0.0.1:4101"),
  PRICING_URL: zUrl.default("http://127.0.0.1:4102"),
  REVIEWS_URL: zUrl.default("http://127.0.0.1:4103"),
  CHANGELOG_URL: zUrl.default("http://127.0.0.1:4104"),
  SEARCH_URL: zUrl.default("http://127.0.0.1:4105"),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: "must be a redis:// or rediss:// address" })
    .optional(),
  /** Memory for prepared answers, in MiB; 0 keeps none. */
  RESPONSE_CACHE_MIB: z
    .string()
    .regex(/^\d{1,6}$/, "must be a whole number of mebibytes")
    .transform(Number)
    .default(128),
  /** Origins separated by commas. */
  CORS_ORIGINS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((origin) => origin.trim())
        .filter((origin) => origin !== ""),
    )
    .refine(
      (origins) => origins.every(isOrigin),
      "must list origins such as https://shop.example, separated by commas",
    ),
  /** Directory of the built explorer; without it `/explorer/` is unknown. */
  PAGES_DIR: z.string().optional(),
  ...protectionShape,
  LOG_LEVEL: zLogLevel.default("info"),
});

import { createClient } from "@connectrpc/connect";
import type { PricingRegion } from "@storefront/contracts/pricing/v1/pricing_region";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { messageOf } from "../user-error.ts";
import { callService, fine, timeoutMs, urlOf, wrong } from "./check.ts";
import type { Check, ExaminedStack } from "./check.ts";

/** Checks that the default country is in a region, where the environment or the running stack has the address of pricing. */
export async function checkRegions(stack: ExaminedStack): Promise<Check[]> {
  const url = urlOf("pricing", stack);
  if (url === undefined) return [];
  try {
    const { regions } = await callService(url, stack, (transport) =>
      createClient(PricingService, transport).listRegions({}, { timeoutMs }),
    );
    return [judgeRegions(regions, stack.env["DEFAULT_COUNTRY"] ?? "US")];
  } catch (error) {
    return [
      wrong(name, `The regions cannot be read: ${messageOf(error)}.`, "See the services above."),
    ];
  }
}

const name = "default country";

/** @param regions by id */
export function judgeRegions(
  regions: readonly Pick<PricingRegion, "id" | "countries">[],
  country: string,
): Check {
  const region = regions.find(({ countries }) => countries.includes(country));
  if (region !== undefined) return fine(name, `${country}, in the region ${region.id}`);
  const [first] = regions;
  const instead =
    first === undefined ? "there is no region" : `${first.id}, the first region, is used instead`;
  return wrong(
    name,
    `${country} is in no region: ${instead}.`,
    "Set DEFAULT_COUNTRY to a country of a region.",
  );
}

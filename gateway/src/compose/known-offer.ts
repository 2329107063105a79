import { notFound } from "../errors/public-error.ts";
import type { FoundOffer } from "../upstream/clients.ts";

/**
 * The offer of a lookup. To be awaited together with the other parts of the response, so that an unknown offer waits for
 * nothing else.
 *
 * @throws NOT_FOUND for an unknown offer
 */
export async function knownOffer(
  finding: Promise<readonly (FoundOffer | undefined)[]>,
): Promise<FoundOffer> {
  const [found] = await finding;
  if (found === undefined) throw notFound("Offer not found");
  return found;
}

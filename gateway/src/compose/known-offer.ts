import { notFound } from "../errors/public-error.ts";
import type { FoundOffer } from "../upstream/clients.ts";

/**
 * The offer that is looked up, by itself. To be waited for together with what is shown beside it, so that
 * an unknown offer waits for nothing else.
 *
 * @throws NOT_FOUND for an unknown one
 */
export async function knownOffer(
  finding: Promise<readonly (FoundOffer | undefined)[]>,
): Promise<FoundOffer> {
  const [found] = await finding;
  if (found === undefined) throw notFound("Offer not found");
  return found;
}

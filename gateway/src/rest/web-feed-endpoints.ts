import { questionKeys } from "../cache/question.ts";
import type { WebFeed } from "../operations/rest-operation.ts";
import type { Endpoint } from "./endpoint.ts";
import { createInputReader } from "./read-input.ts";

/**
 * The endpoints of calendars and feeds.
 *
 * @param publicUrl scheme, host and port that clients reach the gateway by; undefined if not configured
 */
export function webFeedEndpoints(
  webFeeds: readonly WebFeed[],
  publicUrl: string | undefined,
): Endpoint[] {
  return webFeeds.map((webFeed): Endpoint => {
    const { path, operationId, contentType, takesAnyCountry = false, deprecated } = webFeed;
    const readInput = createInputReader(webFeed.input, path);
    const takesCountry = "country" in webFeed.input.shape;
    const countryUse = takesCountry ? { isRegional: false, takesAnyCountry } : undefined;
    return {
      method: "GET",
      operation: operationId,
      path,
      contentType,
      storable: true,
      deprecated,
      takesCountry,
      ask(request) {
        const { input, write } = webFeed.ask(readInput(request));
        return {
          ...questionKeys(operationId, input, countryUse),
          respond: async (ctx) => ({ status: 200, body: await write({ ctx, publicUrl }) }),
        };
      },
    };
  });
}

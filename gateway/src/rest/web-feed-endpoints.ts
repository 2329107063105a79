import { questionKeys } from "../cache/question.ts";
import { queryValues } from "../http/target.ts";
import type { WebFeed } from "../operations/rest-operation.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { Endpoint, EndpointRequest } from "./endpoint.ts";
import { pathMembersOf, pathNamesOf } from "./path-names.ts";

/**
 * The endpoints of calendars and feeds.
 *
 * @param publicUrl scheme, host and port that clients reach the gateway by; undefined where nobody has said
 */
export function webFeedEndpoints(
  webFeeds: readonly WebFeed[],
  publicUrl: string | undefined,
): Endpoint[] {
  return webFeeds.map((webFeed) => {
    const { path, operationId, contentType, takesAnyCountry = false, input: schema, ask } = webFeed;
    const pathNames = pathNamesOf(path);
    const known = new Set(Object.keys(schema.shape).filter((name) => !pathNames.includes(name)));
    const takesCountry = "country" in schema.shape;
    const countryUse = takesCountry ? { isRegional: false, takesAnyCountry } : undefined;
    const asked = ({ query, pathValues }: EndpointRequest) =>
      ask({
        ...Object.fromEntries(queryValues(query, known)),
        ...pathMembersOf(pathNames, pathValues),
      });
    const answer = async (write: ReturnType<typeof ask>["write"], ctx: RequestContext) => ({
      status: 200,
      body: await write({ ctx, publicUrl }),
    });
    return {
      method: "GET",
      operation: operationId,
      path,
      contentType,
      storable: true,
      takesCountry,
      ask: (request) =>
        Promise.try(() => {
          const { write } = asked(request);
          return (ctx) => answer(write, ctx);
        }),
      question: (request) =>
        Promise.try(() => {
          const { input, write } = asked(request);
          return {
            ...questionKeys(operationId, input, countryUse),
            answer: (ctx) => answer(write, ctx),
          };
        }),
    };
  });
}

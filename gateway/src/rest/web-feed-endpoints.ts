import { questionKeys } from "../cache/question.ts";
import { queryValues } from "../http/query-values.ts";
import type { WebFeed } from "../operations/web-feed.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * The endpoints of calendars and feeds.
 *
 * @param publicUrl scheme, host and port that clients reach the gateway by; undefined where nobody has said
 */
export function webFeedEndpoints(
  webFeeds: readonly WebFeed[],
  publicUrl: string | undefined,
): Endpoint[] {
  return webFeeds.map(({ path, operationId, contentType, input: schema, ask }) => {
    const known = new Set(Object.keys(schema.shape));
    const asked = (query: string) => ask(Object.fromEntries(queryValues(query, known)));
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
      takesCountry: false,
      ask: ({ query }) =>
        Promise.try(() => {
          const { write } = asked(query);
          return (ctx) => answer(write, ctx);
        }),
      question: ({ query }) =>
        Promise.try(() => {
          const { input, write } = asked(query);
          return {
            ...questionKeys(operationId, input, "none"),
            answer: (ctx) => answer(write, ctx),
          };
        }),
    };
  });
}

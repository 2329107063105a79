import { z } from "zod";
import { zSavedQuery, savedQueryOf } from "../../records/offer-query.ts";
import { zIdentifier } from "../../schemas/parameters.ts";
import { answered } from "../../upstream/answered.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
import { operation } from "../operation.ts";

export const getSavedQuery = operation({
  method: "GET",
  path: "/search/{id}",
  operationId: "getSavedQuery",
  tag: "search",
  summary: "Get a saved query",
  description: "The canonical body of the searches that the id stands for.",
  input: z.object({
    id: zIdentifier("Id of the saved query.", "9e107d9d372bb6826bd81d3542a419d6"),
  }),
  failures: [404],
  output: zSavedQuery,
  resolve: async ({ ctx, input }) => {
    const name = "search.GetSavedQuery";
    const { query } = await callUpstream(ctx, name, (options) =>
      ctx.clients.search.getSavedQuery({ queryId: input.id }, options),
    );
    return savedQueryOf(answered(query, name));
  },
});

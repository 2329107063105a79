import { savedQueryOf } from "../../../shape/offer-query.ts";
import { answered } from "../../../upstream/answered.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import { operation } from "../../operation.ts";
import { zGetSavedQueryInput, zGetSavedQueryOutput } from "./get-saved-query.schema.ts";

export const getSavedQuery = operation({
  method: "GET",
  path: "/search/{id}",
  operationId: "getSavedQuery",
  tag: "search",
  summary: "Get a saved query",
  description: "The canonical body of the searches that the id stands for.",
  input: zGetSavedQueryInput,
  output: zGetSavedQueryOutput,
  resolve: async ({ ctx, input }) => {
    const name = "search.GetSavedQuery";
    const { query } = await callUpstream(ctx, name, (options) =>
      ctx.clients.search.getSavedQuery({ queryId: input.id }, options),
    );
    return savedQueryOf(answered(query, name));
  },
});

import { z } from "zod";
import { zSavedQuery } from "../../../schemas/offer-query.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";

export const zGetSavedQueryInput = z.object({
  id: zIdentifier("Id of the saved query.", "9e107d9d372bb6826bd81d3542a419d6"),
});

export const zGetSavedQueryOutput = zSavedQuery;

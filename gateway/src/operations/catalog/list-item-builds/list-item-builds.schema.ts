import { z } from "zod";
import { zBuild } from "../../../schemas/build.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";

export const zListItemBuildsInput = z.object({
  id: zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
});

export const zListItemBuildsOutput = z.array(zBuild);

import { z } from "zod";
import { zItem } from "../../../schemas/item.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";

export const zGetItemInput = z.object({
  id: zIdentifier("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
});

export const zGetItemOutput = zItem;

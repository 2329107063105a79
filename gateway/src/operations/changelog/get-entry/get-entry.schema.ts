import { z } from "zod";
import { zChangelogEntry } from "../../../schemas/changelog-entry.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";

export const zGetEntryInput = z.object({
  id: zIdentifier("Id of the change.", "catalog-000000000001f"),
});

export const zGetEntryOutput = zChangelogEntry;

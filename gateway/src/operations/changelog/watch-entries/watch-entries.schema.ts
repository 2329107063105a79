import { z } from "zod";
import { zChangelogEntry } from "../../../schemas/changelog-entry.ts";
import { zIdentifier } from "../../../schemas/parameters.ts";

export const zWatchEntriesInput = z.object({
  after: zIdentifier(
    "Begin with the change that follows this one in the log; what `Last-Event-ID` names counts more. Without either the stream begins with what is stored from now on. 404 when that change, or one before it, was undone since: begin anew.",
    "catalog-000000000001f",
  ).optional(),
});

export const zWatchEntriesEvent = zChangelogEntry;

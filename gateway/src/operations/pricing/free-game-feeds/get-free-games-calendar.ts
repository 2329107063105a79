import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import { ICalCalendar } from "ical-generator";
import { z } from "zod";
import { webFeed } from "../../web-feed.ts";
import { listFreeGameEntries, zFreeGameFeedInput } from "./free-game-entries.ts";

export const getFreeGamesCalendar = webFeed({
  path: "/free-games/feed.ics",
  operationId: "getFreeGamesCalendar",
  tag: "free games",
  summary: "Follow giveaways in a calendar",
  description:
    "An iCalendar (RFC 5545) to subscribe to: giveaways that hold now, those to come, and the last 100 that are over, each an event. One without an announced end has no `DTEND`.",
  contentType: "text/calendar; charset=utf-8",
  cost: 6,
  input: zFreeGameFeedInput,
  output: z.string().meta({
    description: "An iCalendar document.",
    example:
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Storefront//Free games//EN\r\nEND:VCALENDAR",
  }),
  write: async ({ ctx, input, publicUrl }) => {
    const entries = await listFreeGameEntries(ctx, input, [
      GiveawayState.CURRENT,
      GiveawayState.UPCOMING,
      GiveawayState.PAST,
    ]);
    const calendar = new ICalCalendar({
      name: "Free games",
      prodId: { company: "Storefront", product: "Free games", language: "EN" },
    });
    for (const { giveawayId, title, text, startDate, endDate, path } of entries) {
      calendar.createEvent({
        // Percent-encoded, since the library does not escape it.
        id: `giveaway-${encodeURIComponent(giveawayId)}@storefront`,
        // The request's own time would make another file of every answer.
        stamp: startDate,
        lastModified: startDate,
        start: startDate,
        // An end must lie behind the start.
        ...(endDate !== undefined && endDate > startDate && { end: endDate }),
        summary: title,
        description: text,
        ...(publicUrl !== undefined && { url: publicUrl + path }),
      });
    }
    return calendar.toString();
  },
});

import { z } from "zod";
import { commaList } from "./parameters.ts";

/** Platforms of giveaways by their names in requests; records have none for desktop. */
const platforms: ReadonlyMap<string, string> = new Map([
  ["desktop", ""],
  ["android", "android"],
  ["ios", "ios"],
]);

const platformsRule = `must be some of ${[...platforms.keys()].join(", ")}, separated by commas`;

export const zPlatforms = z
  .string(platformsRule)
  .refine((text) => commaList(text).every((name) => platforms.has(name)), platformsRule)
  .meta({
    description:
      "Only giveaways on these platforms: some of `desktop`, `android`, `ios`, separated by commas.",
    example: "android,ios",
  })
  .optional();

/** Platforms for a request to pricing, of a text that `zPlatforms` accepts; an empty list means all. */
export function storedPlatforms(text: string | undefined): string[] {
  return [...new Set(commaList(text))].flatMap((name) => platforms.get(name) ?? []);
}

import { z } from "zod";
import { commaList } from "./parameters.ts";

/** Platforms of giveaways as clients name them, and as records do: on desktop they have none. */
const platforms: ReadonlyMap<string, string> = new Map([
  ["desktop", ""],
  ["android", "android"],
  ["ios", "ios"],
]);

const platformsRule = `must be some of ${[...platforms.keys()].join(", ")}, separated by commas`;

/** Platforms of giveaways, separated by commas. */
export const zPlatforms = z
  .string(platformsRule)
  .refine((text) => commaList(text).every((name) => platforms.has(name)), platformsRule)
  .meta({
    description:
      "Only giveaways on these platforms: some of `desktop`, `android`, `ios`, separated by commas.",
    example: "android,ios",
  })
  .optional();

/** The platforms of what `zPlatforms` accepts, each once, as pricing asks for them; none means all. */
export function storedPlatforms(text: string | undefined): string[] {
  return [...new Set(commaList(text))].flatMap((name) => platforms.get(name) ?? []);
}

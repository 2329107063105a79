import { z } from "zod";
import { commaList } from "./parameters.ts";

const oneOf = (names: readonly string[]) => `must be one of ${names.join(", ")}`;

/**
 * Names of the members of `shown` that a response is to have, in a body.
 *
 * @param always the member that is always there
 */
export function zFields<Shape extends z.core.$ZodLooseShape>(
  shown: z.ZodObject<Shape>,
  always: keyof Shape & string,
  example: readonly (keyof Shape & string)[],
) {
  const names = shown.keyof();
  return z
    .array(z.enum(names.enum, oneOf(names.options)), "must be an array of names of members")
    .meta({
      description: `Members to show, default all of them; \`${always}\` is always there.`,
      example,
    })
    .optional();
}

/** As `zFields`, separated by commas, in a query. */
export function zFieldList<Shape extends z.core.$ZodLooseShape>(
  shown: z.ZodObject<Shape>,
  always: keyof Shape & string,
  example: readonly (keyof Shape & string)[],
) {
  const names: readonly string[] = shown.keyof().options;
  return z
    .string("must be names of members, separated by commas")
    .refine(
      (text) => commaList(text).every((name) => names.includes(name)),
      `${oneOf(names)}, or several of them, separated by commas`,
    )
    .meta({
      description: `Members to show, separated by commas, default all of them; \`${always}\` is always there.`,
      example: example.join(","),
    })
    .optional();
}

/** The members of an object that have one of the names, in the object's order. */
export function pickMembers<Whole extends object>(
  whole: Whole,
  names: ReadonlySet<string>,
): Partial<Whole> {
  const picked: Partial<Whole> = {};
  for (const name in whole) if (names.has(name)) picked[name] = whole[name];
  return picked;
}

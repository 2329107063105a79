import { isObject } from "./tidy-schema.ts";

/**
 * A schema of a request body whose members with a default are optional for every generator of
 * clients. Some, such as openapi-typescript, take a member that has a `default` of its own for one
 * that is always there, which holds for responses only. In a part of the member, by `allOf`, the
 * keyword says the same, since JSON Schema collects the annotations of all parts; the description
 * says it for readers who do not look there.
 */
export function withOptionalMembers<Schema>(schema: Schema): Schema {
  if (!isObject(schema) || !isObject(schema["properties"])) return schema;
  const members = Object.entries(schema["properties"]).map(([name, member]) => [
    name,
    isObject(member) && "default" in member ? defaultInPart(member) : member,
  ]);
  return { ...schema, properties: Object.fromEntries(members) };
}

function defaultInPart({ description, examples, ...rules }: Record<string, unknown>) {
  const note = `Default \`${JSON.stringify(rules["default"])}\`.`;
  return {
    description: typeof description === "string" ? `${description} ${note}` : note,
    ...(examples === undefined ? {} : { examples }),
    allOf: [rules],
  };
}

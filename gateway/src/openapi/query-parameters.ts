import { z } from "zod";
import type { OperationMeta } from "../operations/operation.ts";
import { isObject } from "./tidy-schema.ts";

/** A query parameter of the document; its schema still has its description. */
export type QueryParameter = {
  name: string;
  in: "query";
  required: boolean;
  schema: Record<string, unknown>;
};

/** The query parameters. The generator omits those of a POST, lists, and descriptions of optional members. */
export function queryParametersOf({
  input,
  queryNames,
}: Pick<OperationMeta, "input" | "queryNames">): QueryParameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  return queryNames.map((name) => {
    const schema = properties[name];
    return {
      in: "query",
      name,
      required: required.includes(name),
      schema: isObject(schema) ? schema : {},
    };
  });
}

/** The members of a GET's input that are not in its path. */
export function queryNamesOf({ input, path }: Pick<OperationMeta, "input" | "path">): string[] {
  return Object.keys(input.shape).filter((name) => !path.includes(`{${name}}`));
}

/** The members of the input that are not in the query. */
export function bodyOf({
  input,
  queryNames,
}: Pick<OperationMeta, "input" | "queryNames">): z.ZodObject {
  if (queryNames.length === 0) return input;
  const members = Object.entries(input.shape).filter(([name]) => !queryNames.includes(name));
  return z.object(Object.fromEntries(members));
}

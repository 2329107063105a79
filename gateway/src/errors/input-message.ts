import type { ZodError } from "zod";

/** A sentence that names the first member at fault and its rule, which schemas word as `must …`. */
export function inputMessageOf(error: ZodError): string {
  const [issue] = error.issues;
  if (issue?.path.length === 0) return "The input must be a JSON object.";
  const rule = issue?.message.startsWith("must ") ? issue.message : "is not valid";
  return `${memberOf(issue?.path ?? [])} ${rule}.`;
}

function memberOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    return name === "" ? String(key) : `${name}.${String(key)}`;
  }, "");
}

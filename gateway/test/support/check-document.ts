import { Ajv2020 } from "ajv/dist/2020.js";
import openApiDocument from "../../openapi.json" with { type: "json" };

// The document around the schemas is no schema: its keywords are unknown ones.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(openApiDocument, "document");

const pointerPart = (part: string) =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

interface Documented {
  readonly description?: string;
  readonly headers?: object;
  readonly $ref?: string;
}

/** Statuses that `default` describes. */
const unplanned: ReadonlySet<number> = new Set([431, 500, 502, 504]);

function responsesOf(path: string, method: string): Readonly<Record<string, Documented>> {
  const paths = new Map<string, Record<string, { responses: Record<string, Documented> }>>(
    Object.entries(openApiDocument.paths),
  );
  return paths.get(path)?.[method.toLowerCase()]?.responses ?? {};
}

/** Statuses that the committed OpenAPI document lists for an operation. */
export function documentedStatuses(path: string, method: string): number[] {
  return Object.keys(responsesOf(path, method))
    .filter((status) => status !== "default")
    .map(Number);
}

/**
 * The headers of a response in the committed OpenAPI document, and where it is described.
 *
 * @throws Error where it is not documented
 */
export function documentedResponse(
  path: string,
  method: string,
  status: number,
): { location: readonly string[]; headers: string[] } {
  const listed = unplanned.has(status) ? "default" : String(status);
  const own = responsesOf(path, method)[listed];
  if (own === undefined) throw new Error(`${method} ${path} has no documented ${status}`);
  const shared = own.$ref?.slice(2).split("/");
  const named = new Map<string | undefined, Documented>(
    Object.entries(openApiDocument.components.responses),
  );
  const { headers = {} } = shared === undefined ? own : (named.get(shared.at(-1)) ?? {});
  return {
    location: shared ?? ["paths", path, method.toLowerCase(), "responses", listed],
    headers: Object.keys(headers).map((name) => name.toLowerCase()),
  };
}

/** Throws unless the committed OpenAPI document describes such a response of the operation. */
export function checkDocument(path: string, method: string, status: number, json: unknown): void {
  const { location } = documentedResponse(path, method, status);
  const pointer = [...location, "content", "application/json", "schema"].map(pointerPart).join("/");
  const validate = ajv.getSchema(`document#/${pointer}`);
  if (validate === undefined) throw new Error(`no schema: ${pointer}`);
  if (validate(json) !== true) throw new Error(`${pointer}: ${ajv.errorsText(validate.errors)}`);
}

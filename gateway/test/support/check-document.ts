import { Ajv2020 } from "ajv/dist/2020.js";
import openApiDocument from "../../openapi.json" with { type: "json" };

// The document around the schemas is no schema: its keywords are unknown ones.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(openApiDocument, "document");

const pointerPart = (part: string) =>
  encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Throws unless the committed OpenAPI document describes such an answer of the operation. */
export function checkDocument(path: string, method: string, status: number, json: unknown): void {
  const listed = [200, 400, 404].includes(status) ? String(status) : "default";
  const place = ["paths", path, method.toLowerCase(), "responses", listed, "content"];
  const pointer = [...place, "application/json", "schema"].map(pointerPart).join("/");
  const validate = ajv.getSchema(`document#/${pointer}`);
  if (validate === undefined) throw new Error(`no schema: ${pointer}`);
  if (validate(json) !== true) throw new Error(`${pointer}: ${ajv.errorsText(validate.errors)}`);
}

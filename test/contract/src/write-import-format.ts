// Writes the tables of docs/import-format.md from the messages of the records; with --check it fails if they differ.
import { fromBinary, getExtension, getOption, ScalarType } from "@bufbuild/protobuf";
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import {
  FeatureSet_FieldPresence as FieldPresence,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import type { DescriptorProto, SourceCodeInfo } from "@bufbuild/protobuf/wkt";
import { field as fieldRules } from "@storefront/contracts/buf/validate/validate";
import type { FieldRules } from "@storefront/contracts/buf/validate/validate";
import { identifier, member, query_id as queryId } from "@storefront/contracts/rule/v1/rule";
import { identityOf, kinds } from "@storefront/import-format";
import { execFileSync } from "node:child_process";
import { rewriteDocument, tableOf } from "./generated-table.ts";

/** Comments of fields, by the names of message and field. */
const comments = new Map<string, string>();
/** Names of fields in the contract and in JSON. */
const jsonNames = new Map<string, string>();
const image = execFileSync("buf", ["build", "-o", "-#format=binpb"], {
  cwd: new URL("../../..", import.meta.url),
  maxBuffer: 64 * 1024 * 1024,
});
for (const file of fromBinary(FileDescriptorSetSchema, image).file) {
  for (const [index, message] of file.messageType.entries()) {
    readComments(`${file.package}.${message.name}`, message, index, file.sourceCodeInfo);
  }
}

function readComments(
  name: string,
  message: DescriptorProto,
  index: number,
  source: SourceCodeInfo | undefined,
): void {
  for (const [at, field] of message.field.entries()) {
    const path = `4,${index},2,${at}`;
    const location = source?.location.find((each) => each.path.join() === path);
    const words = location?.leadingComments.trim().replace(/\s+/g, " ") ?? "";
    comments.set(`${name}.${field.name}`, words);
    jsonNames.set(field.name, field.jsonName);
  }
}

/** A row of each member, followed by those of the members within it. */
function rowsOf(schema: DescMessage, before = ""): string[][] {
  return schema.fields.flatMap((field) => {
    const { nulls, rest, overlay, computed } = getOption(field, member);
    if (nulls || rest || computed) return [];
    const path = `${before}${field.localName}`;
    const within = field.fieldKind === "list" ? `${path}[].` : `${path}.`;
    // The overlaid record's table has the members of overlaying ones.
    const inner = overlay || !isWithMembers(field.message) ? [] : rowsOf(field.message, within);
    return [[nameOf(field, path), typeOf(field), meaningOf(field)], ...inner];
  });
}

function isWithMembers(message: DescMessage | undefined): message is DescMessage {
  const isOurs = message?.typeName.startsWith("storefront.") === true;
  return isOurs && message.typeName !== "storefront.search.v1.OfferQuery";
}

/** Messages that are read as protobuf's JSON, which may leave out any member. */
const inProtobufJson = ["storefront.changelog.v1.EntryRecord", "storefront.type.v1.Change"];

/** Bold if each line must have it. */
function nameOf(field: DescField, path: string): string {
  const isOptional = field.fieldKind !== "list" && field.presence !== FieldPresence.IMPLICIT;
  const isRequired =
    getOption(field, fieldRules).required ||
    (getOption(field, member).identity && !isOptional) ||
    (field.fieldKind === "scalar" &&
      !isOptional &&
      !inProtobufJson.includes(field.parent.typeName));
  return isRequired ? `**\`${path}\`**` : `\`${path}\``;
}

const messageTypes = new Map([
  ["google.protobuf.Timestamp", "time"],
  ["google.protobuf.Struct", "object"],
  ["google.protobuf.Value", "any JSON"],
]);
const numberTypes = new Map([
  [ScalarType.DOUBLE, "number"],
  [ScalarType.INT32, "integer"],
  [ScalarType.INT64, "size"],
]);

function typeOf(field: DescField): string {
  const type = elementTypeOf(field);
  return field.fieldKind === "list" ? `[${type}]` : type;
}

function elementTypeOf(field: DescField): string {
  const { message, scalar } = field;
  if (message !== undefined) {
    return messageTypes.get(message.typeName) ?? (isWithMembers(message) ? "{…}" : "object");
  }
  if (scalar === ScalarType.BOOL) return "boolean";
  const { type } = getOption(field, fieldRules);
  const isReference = isId(type.case === "repeated" ? type.value.items?.type : type);
  return numberTypes.get(scalar ?? ScalarType.STRING) ?? (isReference ? "id" : "text");
}

function isId(rules: FieldRules["type"] | undefined): boolean {
  if (rules?.case !== "string") return false;
  return getExtension(rules.value, identifier) || getExtension(rules.value, queryId);
}

/** The field's comment, in the names of JSON, and what identifies the elements of a list. */
function meaningOf(field: DescField): string {
  const comment = comments.get(`${field.parent.typeName}.${field.name}`);
  if (!comment) throw new Error(`${field.toString()} has no comment.`);
  const meaning = comment.replace(/(?<=[`.])\w+(?=`)/g, (name) => jsonNames.get(name) ?? name);
  const identity = field.fieldKind === "list" && field.message ? identityOf(field.message) : [];
  const isSet = getOption(field, member).set;
  if (isSet) return `${meaning} A set.`;
  if (identity.length === 0) return meaning;
  return `${meaning} A set by ${identity.map((name) => `\`${name}\``).join(" and ")}.`;
}

rewriteDocument("import-format.md", (before) => {
  const sections = before.split(/^(?=#{1,4} )/m);
  const titles = sections.flatMap((section) => /^#### (.*)/.exec(section)?.[1] ?? []);
  const expected = [...kinds.keys()];
  if (titles.toSorted().join() !== expected.toSorted().join()) {
    throw new Error(`docs/import-format.md must have the sections ${expected.join(", ")}.`);
  }
  return sections
    .map((section) => {
      const kind = kinds.get(/^#### (.*)/.exec(section)?.[1] ?? "");
      if (kind === undefined) return section;
      const table = tableOf([["member", "type", "meaning"], ...rowsOf(kind.schema)]);
      return section.replace(/^\|[^]*\|$/m, () => table);
    })
    .join("");
});

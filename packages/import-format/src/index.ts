export { jsonFault, MemberFault, stringFault, within } from "./json/member-fault.ts";
export { maxInteger } from "./json/read-value.ts";
export { RecordFormatError, recordFromJson } from "./json/record-from-json.ts";
export { recordToJson } from "./json/record-to-json.ts";
export { parseTimestamp, timestampFromMs, timestampMsOf } from "./json/timestamps.ts";
export { kinds } from "./kinds.ts";
export type { Kind } from "./kinds.ts";
export { limits, messageSizeFault } from "./record-form.ts";
export { lineText, restoredLineStart } from "./line-text.ts";
export {
  fieldsOf,
  identityListsOf,
  identityOf,
  membersThatAre,
  specialMembersOf,
} from "./members.ts";
export type { IdentityLists } from "./members.ts";

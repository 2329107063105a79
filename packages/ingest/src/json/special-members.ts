import type { DescMessage } from "@bufbuild/protobuf";
import { membersThatAre } from "../members.ts";

/** How the import format of a message departs from one JSON member per field. */
export interface SpecialMembers {
  /** Local name of the Struct field that holds every JSON member without a field of its own. */
  readonly restInto?: string;
  /** Local name of the list of members that are known to be null, and the members it can name. */
  readonly nulls?: { readonly into: string; readonly members: readonly string[] };
  /** Members that may be left out although their field has no presence, since they are computed. */
  readonly computed?: readonly string[];
}

/** What is special about a message type, as the contract says it; nothing for most. */
export function specialMembersOf(schema: DescMessage): SpecialMembers {
  const [restInto] = membersThatAre(schema, "rest");
  const [nulls] = membersThatAre(schema, "nulls");
  return {
    ...(restInto !== undefined && { restInto }),
    ...(nulls !== undefined && {
      nulls: { into: nulls, members: membersThatAre(schema, "overlay") },
    }),
    computed: membersThatAre(schema, "computed"),
  };
}

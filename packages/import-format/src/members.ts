import { getOption } from "@bufbuild/protobuf";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { member } from "@storefront/contracts/rule/v1/rule";
import type { Member } from "@storefront/contracts/rule/v1/rule";

/** The role of a member in the contract. */
export type MemberRole = Exclude<keyof Member, "$typeName" | "$unknown">;

/** Local names of the members with a role in the contract, in its order. */
export function membersThatAre(schema: DescMessage, role: MemberRole): string[] {
  return schema.fields
    .filter((field) => getOption(field, member)[role])
    .map(({ localName }) => localName);
}

const identities = new WeakMap<DescMessage, readonly string[]>();

/** Local names of the members that identify records of a kind, in the order of the contract. */
export function identityOf(schema: DescMessage): readonly string[] {
  const known = identities.get(schema) ?? membersThatAre(schema, "identity");
  identities.set(schema, known);
  return known;
}

/**
 * Lists that are sets, by member: the members that identify an element, or none when the element itself
 * does.
 */
export type IdentityLists = Readonly<Record<string, readonly string[]>>;

/** The lists of a record that are compared as sets, by their elements' identity. */
export function identityListsOf(schema: DescMessage): IdentityLists {
  const lists = schema.fields.filter(({ fieldKind }) => fieldKind === "list");
  return Object.fromEntries(
    lists.flatMap((list): [string, readonly string[]][] => {
      const identity = list.message === undefined ? [] : identityOf(list.message);
      const isSet = identity.length > 0 || getOption(list, member).set;
      return isSet ? [[list.localName, identity]] : [];
    }),
  );
}

/** Exceptions of the import format from one JSON member per field. */
export interface SpecialMembers {
  /** Local name of the Struct field for every JSON member without a field of its own. */
  readonly restInto?: string;
  /** Local name of the list of members that are known to be null, and the members it can name. */
  readonly nulls?: { readonly into: string; readonly members: readonly string[] };
  /** Members that may be omitted although their field has no presence, since they are computed. */
  readonly computed?: readonly string[];
}

/** The exceptions of a message type, from the contract; none for most. */
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

/** A message as a plain object: by the local names of its fields. */
type Fields = Record<string, unknown>;

/** The same object, for generic code that uses descriptors instead of generated types. */
export function fieldsOf(message: Message): Fields {
  return message as object as Fields;
}

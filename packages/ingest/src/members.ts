import { getOption } from "@bufbuild/protobuf";
import type { DescMessage } from "@bufbuild/protobuf";
import { member } from "@storefront/contracts/rule/v1/rule";
import type { Member } from "@storefront/contracts/rule/v1/rule";
import type { IdentityLists } from "./diff/changes-between.ts";

/** What the contract can say of a member. */
export type MemberRole = Exclude<keyof Member, "$typeName" | "$unknown">;

/** Local names of the members that the contract says something of, in its order. */
export function membersThatAre(schema: DescMessage, role: MemberRole): string[] {
  return schema.fields
    .filter((field) => getOption(field, member)[role])
    .map(({ localName }) => localName);
}

const identities = new WeakMap<DescMessage, readonly string[]>();

/** Local names of the members that tell records of a kind apart, in the order of the contract. */
export function identityOf(schema: DescMessage): readonly string[] {
  const known = identities.get(schema) ?? membersThatAre(schema, "identity");
  identities.set(schema, known);
  return known;
}

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

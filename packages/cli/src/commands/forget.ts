import type { Kind } from "@storefront/import-format";
import { dataDirectoryOption, defineCommand } from "../command.ts";
import type { CommandContext } from "../command.ts";
import { usageError, UserError, userErrorOf } from "../user-error.ts";

/** `storefront forget KIND KEY…`. */
export const forgetCommand = defineCommand({
  summary: "Make a running stack forget a record, its deletion and when it was seen.",
  usage: "KIND KEY… [options]",
  options: dataDirectoryOption,
  notes: async () => [
    "Any observation of the record is fresh afterwards, however old. Of a price its history goes too.\nChangelog entries about the record stay; one more says that it is deleted.",
    `A KIND and the parts of its KEY, in this order:\n${await keysOfKinds()}`,
    "What follows -- is a part of the key also when it begins with a dash.",
    "The stack is found as by `import`.",
  ],
  takesPositionals: true,
  async run({ values, positionals: [name, ...key] }, context) {
    if (name === undefined) throw usageError("Name a kind of record and its key.");
    const { kinds } = await import("@storefront/import-format");
    const kind = kinds.get(name);
    if (kind === undefined) {
      throw usageError(`There is no kind ${name}; kinds are ${[...kinds.keys()].join(", ")}.`);
    }
    if (key.length !== kind.identity.length) {
      throw usageError(`The key of a record of kind ${name} is: ${kind.identity.join(" ")}.`);
    }
    const summary = await forget(kind, key, context);
    const { wasStored, observedAt } = summary;
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    else if (observedAt === undefined) context.terminal.out("Nothing was known of it.");
    else {
      const what = wasStored ? "the record" : "its deletion";
      context.terminal.out(`Forgot ${what}, seen ${observedAt}.`);
    }
    return 0;
  },
});

async function keysOfKinds(): Promise<string> {
  const { kinds } = await import("@storefront/import-format");
  return [...kinds.values()]
    .map(({ name, identity }) => `  ${name.padEnd(12)}  ${identity.join(" ")}`)
    .join("\n");
}

/**
 * Makes a running stack forget a record.
 *
 * @param key the identity members of the record, in their documented order.
 * @returns whether a record was stored, else at most its deletion was; and when its last known state was
 * observed, absent when it was never known.
 * @throws UserError when there is no stack, or the service refuses.
 */
async function forget(
  { name: kind, service }: Kind,
  key: readonly string[],
  context: CommandContext,
): Promise<{ kind: string; key: readonly string[]; wasStored: boolean; observedAt?: string }> {
  const [{ timestampDate }, { ingestServices }, { createServiceConnections }] = await Promise.all([
    import("@bufbuild/protobuf/wkt"),
    import("../import/ingest-services.ts"),
    import("../stack/service-connections.ts"),
  ]);
  await using connections = await createServiceConnections(context);
  const transport = await connections.open(service);
  const forgetting =
    transport && ingestServices[service].forget?.(transport, { kind, key: [...key] });
  if (forgetting === undefined) {
    throw new UserError(`This stack runs no ${service} service that forgets.`);
  }
  const { wasStored, observedAt } = await forgetting.catch((error: unknown) => {
    throw userErrorOf(`The ${service} service did not forget it`, error);
  });
  const seen = observedAt && { observedAt: timestampDate(observedAt).toISOString() };
  return { kind, key, wasStored, ...seen };
}

import type { Kind } from "@storefront/import-format";
import { dataDirectoryOption, defineCommand } from "../command.ts";
import { usageError } from "../user-error.ts";

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
    const [{ kinds }, { runForget }] = await Promise.all([
      import("@storefront/import-format"),
      import("../forget/run-forget.ts"),
    ]);
    const kind = kinds.get(name);
    if (kind === undefined) {
      throw usageError(`There is no kind ${name}; kinds are ${[...kinds.keys()].join(", ")}.`);
    }
    checkKey(kind, key);
    const summary = await runForget(kind, key, context);
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

function checkKey({ name, identity }: Kind, key: readonly string[]): void {
  if (key.length === identity.length) return;
  throw usageError(`The key of a record of kind ${name} is: ${identity.join(" ")}.`);
}

async function keysOfKinds(): Promise<string> {
  const { kinds } = await import("@storefront/import-format");
  return [...kinds.values()]
    .map(({ name, identity }) => `  ${name.padEnd(12)}  ${identity.join(" ")}`)
    .join("\n");
}

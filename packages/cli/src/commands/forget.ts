import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp } from "../command.ts";
import type { Command } from "../command.ts";
import { isKind, kinds } from "../import/kinds.ts";
import type { Kind } from "../import/kinds.ts";
import { usageError } from "../user-error.ts";

const options = { ...commonOptions, "data-dir": { type: "string" } } as const;

/** `storefront forget KIND KEY…`. */
export const forgetCommand: Command = {
  summary: "Make a running stack forget a record, its deletion and when it was seen.",
  usage: "KIND KEY… [options]",
  options: { "data-dir": dataDirectoryHelp, ...commonHelp },
  notes: [
    "Any observation of the record is fresh afterwards, however old. Of a price its history goes too.\nChangelog entries about the record stay; one more says that it is deleted.",
    `A KIND and the parts of its KEY, in this order:\n${keysOfKinds()}`,
    "What follows -- is a part of the key also when it begins with a dash.",
    "The stack is found as by `import`.",
  ],
  async run(parameters, context) {
    const { values, positionals } = parseArgs({
      args: parameters,
      options,
      allowPositionals: true,
    });
    const { kind, key } = recordOf(positionals);
    const [{ runForget }, { dataDirectoryOf }] = await Promise.all([
      import("../forget/run-forget.ts"),
      import("../stack/data-directory.ts"),
    ]);
    const dataDirectory = dataDirectoryOf(values["data-dir"], context.env);
    const summary = await runForget({ kind, key, dataDirectory }, context);
    const { wasStored, observedAt } = summary;
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    else if (observedAt === undefined) context.terminal.out("Nothing was known of it.");
    else {
      const what = wasStored ? "the record" : "its deletion";
      context.terminal.out(`Forgot ${what}, seen ${observedAt}.`);
    }
    return 0;
  },
};

function recordOf([kind, ...key]: readonly string[]): { kind: Kind; key: readonly string[] } {
  if (kind === undefined) throw usageError("Name a kind of record and its key.");
  if (!isKind(kind)) {
    throw usageError(`There is no kind ${kind}; kinds are ${Object.keys(kinds).join(", ")}.`);
  }
  const { identity } = kinds[kind];
  if (key.length === identity.length) return { kind, key };
  throw usageError(`The key of a record of kind ${kind} is: ${identity.join(" ")}.`);
}

function keysOfKinds(): string {
  return Object.entries(kinds)
    .map(([kind, { identity }]) => `  ${kind.padEnd(12)}  ${identity.join(" ")}`)
    .join("\n");
}

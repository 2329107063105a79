import { parseArgs } from "node:util";
import { commonHelp, commonOptions, dataDirectoryHelp } from "../command.ts";
import type { Command } from "../command.ts";

const options = { ...commonOptions, "data-dir": { type: "string" } } as const;

/** `storefront doctor`. */
export const doctorCommand: Command = {
  summary: "Check what a stack needs, and the running one.",
  usage: "[options]",
  options: { "data-dir": dataDirectoryHelp, ...commonHelp },
  notes: [
    "One line for each check, with a remedy for each problem; exit status 1 when there is one.",
  ],
  async run(parameters, { terminal, env }) {
    const { values } = parseArgs({ args: parameters, options });
    const [{ runDoctor }, { dataDirectoryOf }] = await Promise.all([
      import("../doctor/run-doctor.ts"),
      import("../stack/data-directory.ts"),
    ]);
    const checks = await runDoctor(dataDirectoryOf(values["data-dir"], env), env);
    const ok = checks.every((check) => check.problem === undefined);
    if (values.json === true) {
      terminal.out(JSON.stringify({ ok, checks }));
    } else {
      for (const { name, finding, problem, remedy } of checks) {
        terminal.out(
          problem === undefined
            ? `ok       ${name}: ${finding}`
            : `problem  ${name}: ${problem} ${remedy ?? ""}`.trimEnd(),
        );
      }
    }
    return ok ? 0 : 1;
  },
};

import { dataDirectoryOption, defineCommand } from "../command.ts";

/** `storefront doctor`. */
export const doctorCommand = defineCommand({
  summary: "Check what a stack needs, and the running one.",
  usage: "[options]",
  options: dataDirectoryOption,
  notes: [
    "One line for each check, with a remedy for each problem; exit status 1 when there is one.",
  ],
  async run({ values }, context) {
    const { runDoctor } = await import("../doctor/run-doctor.ts");
    const checks = await runDoctor(context);
    const ok = checks.every((check) => check.problem === undefined);
    if (values.json === true) {
      context.terminal.out(JSON.stringify({ ok, checks }));
    } else {
      for (const { name, finding, problem, remedy } of checks) {
        context.terminal.out(
          problem === undefined
            ? `ok       ${name}: ${finding}`
            : `problem  ${name}: ${problem} ${remedy ?? ""}`.trimEnd(),
        );
      }
    }
    return ok ? 0 : 1;
  },
});

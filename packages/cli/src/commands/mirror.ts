import { dataDirectoryOption, defineCommand, originOption } from "../command.ts";
import { usageError } from "../user-error.ts";

/** `storefront mirror URL`. */
export const mirrorCommand = defineCommand({
  summary: "Make and follow a copy of another stack, over public HTTP.",
  usage: "URL [options]",
  options: dataDirectoryOption,
  notes: [
    "URL is where the other stack's gateway is, such as https://shop.example. It needs no token: the copy\nis made of /snapshot and /snapshot/changes, and has all but saved queries.",
    "The copy goes into an empty running stack (start --empty), which is found as by `import`. Its\nprogress is in mirror.json in the data directory: after a kill, the same command continues.",
    "It runs until Ctrl-C, and waits while either stack is unavailable.",
    "Exit status 1 when it cannot continue: the other stack has lost a part of its history, or sends what\nthis release does not accept; or the copy cannot be written, as without disk space or with a wrong token.",
  ],
  takesPositionals: true,
  async run({ values, positionals: [url, ...others] }, context) {
    if (url === undefined || others.length > 0) throw usageError("Name one URL to mirror.");
    const [{ runMirror }, { listenForInterrupts }] = await Promise.all([
      import("../mirror/run-mirror.ts"),
      import("../stack/on-interrupt.ts"),
    ]);
    const { signal } = listenForInterrupts();
    const summary = await runMirror(originOption("URL", url), signal, context);
    if (values.json === true) context.terminal.out(JSON.stringify(summary));
    else context.terminal.note(`Stopped after ${summary.changes.toLocaleString("en")} changes.`);
    return 0;
  },
});

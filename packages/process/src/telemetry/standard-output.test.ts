import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

const index = new URL("../index.ts", import.meta.url).href;

/** A process with a logger on its standard output that runs this code. */
function startLogging(code: string) {
  const program = `
    import { createLogger } from ${JSON.stringify(index)};
    const logger = createLogger({ service: "test" });
    ${code}`;
  return spawn(process.execPath, ["--input-type=module", "--eval", program]);
}

const logMany = "for (let line = 0; line < 5000; line++) logger.info({ line }, 'a line');";

describe("a log on standard output", () => {
  it.each([
    ["has nothing left to do", ""],
    ["calls exit", "process.exit(0);"],
    ["fails", "throw new Error('a defect');"],
    ["fails in a promise", "void Promise.reject(new Error('a defect'));"],
    [
      "handles a signal",
      "process.once('SIGTERM', () => clearInterval(timer)); const timer = setInterval(() => 0, 1000); process.kill(process.pid, 'SIGTERM');",
    ],
  ])("is complete when the process %s", async (_how, ending) => {
    const child = startLogging(`${logMany} logger.warn("the last"); ${ending}`);
    const lines = (await text(child.stdout)).trimEnd().split("\n");
    expect(lines).toHaveLength(5001);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ level: "warn", msg: "the last" });
  });

  it("is flushed soon, however short", async () => {
    const child = startLogging("logger.info('ready'); process.stdin.resume();");
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({ msg: "ready" });
    child.stdin.end();
    await once(child, "exit");
  });

  it("is in the order of writing, without warnings, for any number of loggers", async () => {
    const child = startLogging(`
      const loggers = Array.from({ length: 20 }, (_, n) => createLogger({ service: String(n) }));
      for (const line of ["one", "other"]) for (const one of loggers) one.info(line);`);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const lines = out.trimEnd().split("\n");
    const written = lines.map((line) => JSON.parse(line) as { service: string; msg: string });
    expect(written.map(({ service, msg }) => `${msg} ${service}`)).toEqual(
      ["one", "other"].flatMap((msg) => Array.from({ length: 20 }, (_, n) => `${msg} ${n}`)),
    );
    expect(err).toBe("");
  });
});

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const index = new URL("../src/index.ts", import.meta.url).href;

/** The OpenTelemetry packages that a process loads when it starts tracing with these options. */
async function loadedBy(options: string): Promise<string[]> {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({
      resolve(specifier, context, next) {
        if (specifier.startsWith("@opentelemetry/")) loaded.push(specifier);
        return next(specifier, context);
      },
    });
    const { startTracing } = await import(${JSON.stringify(index)});
    const tracer = await startTracing(${options}, undefined);
    await tracer?.close();
    process.stdout.write(JSON.stringify(loaded));`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await text(child.stdout)) as string[];
}

it("a process without traces loads no SDK", async () => {
  // The metrics library loads the API.
  expect((await loadedBy("undefined")).filter((name) => name !== "@opentelemetry/api")).toEqual([]);
  expect(await loadedBy(`{ url: "http://127.0.0.1:1/v1/traces", serviceName: "a" }`)).toContain(
    "@opentelemetry/sdk-trace",
  );
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./find-program.ts";
import { freePort } from "./free-port.ts";
import { startProcess } from "./server-process.ts";
import type { TestServer } from "./server-process.ts";

/** Directories of distributions, which are seldom in PATH. */
const places = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin"];

const configuration = new URL("../../../../deploy/varnish/storefront.vcl", import.meta.url);

/** Why there is no Varnish, undefined when it is installed; its module xkey is not checked. */
export function missingVarnish(): string | undefined {
  return findProgram("varnishd", places) === undefined
    ? "no Varnish: install varnish and varnish-modules"
    : undefined;
}

/** Starts a Varnish with the deployment's configuration in front of a gateway. */
export async function startVarnish(gatewayUrl: string): Promise<TestServer> {
  const program = findProgram("varnishd", places);
  if (program === undefined) throw new Error("Varnish is not installed.");
  const { hostname, port } = new URL(gatewayUrl);
  const directory = await mkdtemp(join(tmpdir(), "storefront-varnish-"));
  const vcl = join(directory, "storefront.vcl");
  const deployed = await readFile(configuration, "utf8");
  const backend = deployed
    .replace('.host = "gateway"', `.host = "${hostname}"`)
    .replace('.port = "4000"', `.port = "${port}"`);
  await writeFile(vcl, backend);
  const ownPort = await freePort();
  const stop = await startProcess({
    program,
    // Without the jail, which needs root and users of its own.
    parameters: ["-F", "-j", "none", "-n", directory, "-f", vcl, "-s", "malloc,64m"].concat(
      "-a",
      `127.0.0.1:${ownPort}`,
    ),
    readyText: "Child launched OK",
    stopSignal: "SIGTERM",
  });
  return {
    url: `http://127.0.0.1:${ownPort}`,
    async stop() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

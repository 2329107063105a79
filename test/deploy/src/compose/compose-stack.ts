import { freePort, makeTemporaryDirectory } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, vi } from "vitest";
import type { ContainerTools } from "../container-tools.ts";
import { containersOf } from "./containers.ts";
import type { Container } from "./containers.ts";
import { startHealthChecks } from "./health-checks.ts";
import { startPodmanService } from "./podman-service.ts";
import { portableCompose } from "./portable-compose.ts";
import { removeRulesOf } from "./published-ports.ts";
import { composeDirectory } from "./read-compose.ts";

const standIns = join(import.meta.dirname, "stand-ins.yaml");

/** Longest that containers may take until they are healthy, on a busy machine. */
export const patienceMs = 180_000;

/** The stack of deploy/docker/compose.yaml on this machine, in a copy of its folder. */
export interface ComposeStack {
  project: string;
  gatewayUrl: string;
  ingestUrl: string;
  /** Runs docker-compose. @returns its standard output. @throws Error with its standard error when it fails. */
  compose(parameters: readonly string[], input?: string): Promise<string>;
  /** Removes containers and networks, but not volumes. */
  down(parameters?: readonly string[]): Promise<void>;
  containers(): Promise<Container[]>;
  /** The container of a service. @throws Error when there is none. */
  container(service: string): Promise<Container>;
  /** Waits until every running container is healthy. @returns the names of their services, sorted. */
  untilHealthy(): Promise<string[]>;
  /** Kills the first process of a container, and waits until it has been restarted. */
  kill(service: string): Promise<void>;
  /** A generated secret of the stack. */
  secret(name: string): string;
  /** Removes containers, networks, volumes and the folder. */
  remove(): Promise<void>;
}

/** Parameters that include the containers of compose.yaml's profiles. */
export const profiles: readonly string[] = ["--profile", "ingest", "--profile", "webhooks"];

/** Ports that the stack publishes, as compose.yaml's variables. */
async function freePorts() {
  return { PORT: String(await freePort()), INGEST_PORT: String(await freePort()) };
}

/** Prepares a stack that is not up yet: a folder with secrets, and a server of podman for docker-compose. */
export async function prepareStack(tools: ContainerTools): Promise<ComposeStack> {
  const directory = await makeTemporaryDirectory();
  // As deep as the original: images would be built from the folder two above.
  const folder = join(directory.path, "deploy/docker");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(composeDirectory, "make-secrets.sh"), join(folder, "make-secrets.sh"));
  await tools.run(join(folder, "make-secrets.sh"), []);
  const { name: project, text: file } = portableCompose();
  writeFileSync(join(folder, "compose.yaml"), file);

  const podman = await startPodmanService(tools, directory.file("podman.sock"));
  const checks = startHealthChecks(podman, project);
  const ports = await freePorts();
  const env = { ...tools.env, DOCKER_HOST: podman.host, TAG: "dev" };
  const files = ["-f", join(folder, "compose.yaml"), "-f", standIns];

  const stack: ComposeStack = {
    project,
    gatewayUrl: `http://127.0.0.1:${ports.PORT}`,
    ingestUrl: `http://127.0.0.1:${ports.INGEST_PORT}`,
    async compose(parameters, input = "") {
      const all = ["--project-name", project, "--project-directory", folder, ...files];
      const child = spawn("docker-compose", [...all, ...parameters], {
        env: { ...env, ...ports },
        stdio: "pipe",
      });
      child.stdin.end(input);
      const [stdout, stderr] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      if (child.exitCode !== 0) {
        throw new Error(`docker-compose ${parameters.join(" ")}: ${stderr}${stdout.slice(-2000)}`);
      }
      return stdout;
    },
    async down(parameters = []) {
      await stack.compose([...profiles, "down", ...parameters]);
      await removeRulesOf(tools, Object.values(ports));
    },
    containers: () => containersOf(podman, project),
    async container(service) {
      const [found] = await containersOf(podman, project, service);
      if (found === undefined) throw new Error(`There is no container of ${service}.`);
      return found;
    },
    async untilHealthy() {
      let running: Container[] = [];
      const areHealthy = async () => {
        running = (await stack.containers()).filter(({ service }) => service !== "migrate");
        expect(running.filter(({ health }) => health !== "healthy")).toEqual([]);
      };
      await vi.waitFor(areHealthy, { timeout: patienceMs, interval: 1000 });
      return running.map(({ service }) => service).toSorted();
    },
    async kill(service) {
      const { pid, restarts } = await stack.container(service);
      process.kill(pid, "SIGKILL");
      const hasRestarted = async () => (await stack.container(service)).restarts > restarts;
      await vi.waitUntil(hasRestarted, { timeout: patienceMs, interval: 500 });
    },
    secret: (name) => readFileSync(join(folder, "secrets", name), "utf8").trim(),
    async remove() {
      try {
        await stack.down(["--volumes", "--remove-orphans"]);
      } finally {
        await checks.stop();
        await podman.stop();
        await directory.remove();
      }
    },
  };
  return stack;
}

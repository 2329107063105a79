import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { spawn } from "node:child_process";
import { promisify } from "node:util";
import type { z } from "zod";
import { containerTools } from "../container-tools.ts";

const execFileAsync = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** A real Kubernetes that the tests may do anything with. */
export interface Cluster {
  /** Runs kubectl. @returns its standard output. */
  kubectl(parameters: readonly string[], options?: KubectlOptions): Promise<string>;
  /** What `kubectl get -o json` gives, checked. */
  get<Schema extends z.ZodType>(
    what: readonly string[],
    zSchema: Schema,
    namespace?: string,
  ): Promise<z.output<Schema>>;
  /**
   * Applies what kustomize builds of a directory of `test/deploy/kubernetes`, in the form that this Kubernetes knows.
   *
   * @param selector labels of the objects to apply; default all
   */
  apply(directory: string, selector?: string): Promise<void>;
  /** Applies objects. */
  applyObjects(objects: readonly object[]): Promise<void>;
  /** Hands images over to the node. */
  load(images: readonly string[]): Promise<void>;
}

/** How kubectl runs. */
export interface KubectlOptions {
  /** Standard input. */
  input?: string | Readable;
  /** Default that of the tests. */
  namespace?: string;
  /** Default two minutes. */
  timeoutMs?: number;
}

const overlays = resolve(import.meta.dirname, "../../kubernetes");

/** The namespace of the overlay for production. */
export const namespace = "storefront";

/** The cluster, or a sentence that says why there is none. */
export const cluster: Cluster | string = findCluster();

function findCluster(): Cluster | string {
  if (typeof containerTools === "string") return containerTools;
  const kubeconfig = process.env["TEST_KUBECONFIG"];
  if (kubeconfig === undefined) {
    return "TEST_KUBECONFIG names no cluster; kubernetes/setup.sh of STOREFRONT_SHARED sets one up";
  }
  const env = { ...containerTools.env, KUBECONFIG: kubeconfig };
  try {
    execFileSync("kubectl", ["get", "--raw", "/readyz"], { env, timeout: 10_000, stdio: "pipe" });
  } catch (error) {
    return `the cluster of TEST_KUBECONFIG does not respond: ${String(error).split("\n", 1)[0]}`;
  }
  return openCluster(env);
}

function openCluster(env: Readonly<Record<string, string>>): Cluster {
  /** Runs a pipe of programs by bash, with its parameters as `$1` and so on. */
  const pipe = async (script: string, parameters: readonly string[], timeoutMs: number) => {
    await execFileAsync("bash", ["-o", "pipefail", "-c", script, "bash", ...parameters], {
      env,
      timeout: timeoutMs,
      maxBuffer,
    });
  };
  const kubectl: Cluster["kubectl"] = async (parameters, options = {}) => {
    const { input, timeoutMs = 120_000 } = options;
    const inNamespace = `--namespace=${options.namespace ?? namespace}`;
    const child = spawn("kubectl", [inNamespace, ...parameters], {
      env,
      timeout: timeoutMs,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    const feeding =
      input === undefined || child.stdin === null ? undefined : pipeline(input, child.stdin);
    const [stdout, stderr] = await Promise.all([
      child.stdout === null ? "" : text(child.stdout),
      child.stderr === null ? "" : text(child.stderr),
      once(child, "close"),
      feeding,
    ]);
    if (child.exitCode !== 0) {
      const how = child.exitCode ?? child.signalCode;
      throw new Error(`kubectl ${parameters.join(" ")} (${how}): ${stderr}${stdout}`);
    }
    return stdout;
  };
  return {
    kubectl,
    async get(what, zSchema, inNamespace = namespace) {
      const options = { namespace: inNamespace };
      return zSchema.parse(JSON.parse(await kubectl(["get", ...what, "--output=json"], options)));
    },
    async apply(directory, selector = "") {
      const script = 'kustomize build "$1" | downgrade | kubectl apply --selector="$2" -f -';
      await pipe(script, [resolve(overlays, directory), selector], 120_000);
    },
    async applyObjects(objects) {
      const list = { apiVersion: "v1", kind: "List", items: objects };
      await pipe('printf %s "$1" | kubectl apply -f -', [JSON.stringify(list)], 120_000);
    },
    async load(images) {
      const script =
        'podman save --quiet --multi-image-archive "$@" | ctr --address /run/k8s-containerd/c.sock --namespace k8s.io images import -';
      await pipe(script, images, 300_000);
    },
  };
}

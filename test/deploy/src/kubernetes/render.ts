import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { containerTools } from "../container-tools.ts";

const execFileAsync = promisify(execFile);

/** Where the manifests are. */
export const manifestsDirectory = resolve(import.meta.dirname, "../../../../deploy/kubernetes");

const zManifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
  }),
});

/** A resource that a manifest declares. */
export type Manifest = z.output<typeof zManifest>;

/** The result of `kustomize build` for a directory. @throws Error with kustomize's message */
export async function render(directory: string): Promise<Manifest[]> {
  const text = await toolOf("kustomize", ["build", directory]);
  return parseAllDocuments(text).map((document) => zManifest.parse(document.toJS()));
}

/**
 * Decodes manifests with the strict types of a current Kubernetes.
 *
 * @returns a line for each that is wrong.
 */
export async function strictProblems(manifests: readonly Manifest[]): Promise<string[]> {
  const input = manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n");
  const running = execFileAsync("kstrict", [], { env: environment() });
  running.child.stdin?.end(input);
  // Its status says the same as its lines.
  const { stdout } = await running.catch((error: unknown) =>
    z.object({ stdout: z.string() }).parse(error),
  );
  const lines = stdout.split("\n").filter((line) => line !== "");
  if (lines.length !== manifests.length) throw new Error(`kstrict said ${stdout}`);
  return lines.filter((line) => !line.startsWith("ok "));
}

async function toolOf(program: string, parameters: readonly string[]): Promise<string> {
  if (typeof containerTools === "string") throw new Error(containerTools);
  return await containerTools.run(program, parameters);
}

function environment(): Readonly<Record<string, string>> {
  if (typeof containerTools === "string") throw new Error(containerTools);
  return containerTools.env;
}

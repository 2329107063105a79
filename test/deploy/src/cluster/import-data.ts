import { defaultPorts, serviceNames, serviceVariables } from "@storefront/process";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { vi } from "vitest";
import { z } from "zod";
import type { Cluster, KubectlOptions } from "./cluster.ts";
import { stacks } from "./stacks.ts";
import type { Stack } from "./stacks.ts";

/** How many lines of a file are imported. */
export interface Portion {
  file: string;
  lines: number;
}

const zIdentified = z.object({ kind: z.string(), record: z.object({ id: z.string() }) });
const zPod = z.object({ status: z.object({ phase: z.string() }) });

/**
 * Imports the first lines of files from within the cluster: by the image of the command line, in a
 * pod that policies let in as an importer.
 *
 * @returns what the import says of itself
 */
export async function importData(
  cluster: Cluster,
  portions: readonly Portion[],
  stack: Stack = stacks.production,
): Promise<string> {
  const { namespace } = stack;
  const kubectl = (parameters: readonly string[], options: KubectlOptions = {}) =>
    cluster.kubectl(parameters, { namespace, ...options });
  await kubectl(["delete", "pod", "importer", "--ignore-not-found"]);
  await cluster.applyObjects([importer(stack)]);
  await kubectl(["wait", "--for=condition=Ready", "pod/importer", "--timeout=60s"]);
  // Attached to as long as the import reads; its last lines come from the log.
  await kubectl(["attach", "--stdin", "importer"], {
    input: Readable.from(linesOf(portions)),
    timeoutMs: 400_000,
  });
  await vi.waitUntil(
    async () => {
      const { phase } = (await cluster.get(["pod", "importer"], zPod, namespace)).status;
      if (phase === "Failed") throw new Error(await kubectl(["logs", "importer"]));
      return phase === "Succeeded";
    },
    { timeout: 120_000, interval: 500 },
  );
  return await kubectl(["logs", "importer"]);
}

/** Ids of the records of a kind that the first lines of files hold. */
export async function idsOf(portions: readonly Portion[], kind: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const line of linesOf(portions)) {
    const { success, data } = zIdentified.safeParse(JSON.parse(line));
    if (success && data.kind === kind) ids.push(data.record.id);
  }
  return ids;
}

/** The first lines of files, each with its end. */
export async function* linesOf(portions: readonly Portion[]): AsyncGenerator<string> {
  for (const { file, lines } of portions) {
    const input = createReadStream(file);
    let count = 0;
    let rest = "";
    // Not by readline, which also ends lines at U+2028, which records hold.
    for await (const chunk of input.pipe(createGunzip()).setEncoding("utf8")) {
      const found = `${rest}${String(chunk)}`.split("\n");
      rest = found.pop() ?? "";
      for (const line of found.slice(0, lines - count)) yield `${line}\n`;
      count += found.length;
      if (count >= lines) break;
    }
    input.destroy();
  }
}

function importer({ namespace, ingestToken, hasTls }: Stack) {
  const addresses = serviceNames.map((name) => ({
    name: serviceVariables(name).grpcUrl,
    value: `${hasTls ? "https" : "http"}://${name}:${defaultPorts[name].grpcPort}`,
  }));
  const mountPath = "/run/secrets/tls";
  const certificate = Object.entries({ CERT: "tls.crt", KEY: "tls.key", CA: "ca.crt" });
  const files = certificate.map(([name, file]) => ({
    name: `TLS_${name}_FILE`,
    value: `${mountPath}/${file}`,
  }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      namespace,
      name: "importer",
      labels: { "app.kubernetes.io/component": "importer" },
    },
    spec: {
      restartPolicy: "Never",
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: "importer",
          image: "storefront/cli:dev",
          args: ["import", "-"],
          stdin: true,
          stdinOnce: true,
          env: [
            ...addresses,
            ...(hasTls ? files : []),
            { name: "INGEST_TOKEN", value: ingestToken },
          ],
          volumeMounts: hasTls ? [{ name: "tls", mountPath, readOnly: true }] : [],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          },
        },
      ],
      volumes: hasTls
        ? [{ name: "tls", secret: { secretName: "importer-tls", defaultMode: 0o440 } }]
        : [],
    },
  };
}

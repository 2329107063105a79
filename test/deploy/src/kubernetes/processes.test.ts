import { ingestVariables } from "@storefront/cli/variables";
import {
  defaultPorts,
  isSecret,
  serverNames,
  serviceNames,
  serviceVariables,
} from "@storefront/process";
import { describeUnlessMissing } from "@storefront/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { missingContainerTools } from "../container-tools.ts";
import { processes } from "./processes.ts";
import type { Manifest } from "./render.ts";
import { trees } from "./trees.ts";
import { workloadsOf } from "./workloads.ts";
import type { Workload } from "./workloads.ts";

const zService = z.object({
  kind: z.literal("Service"),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    clusterIP: z.string().optional(),
    selector: z.record(z.string(), z.string()),
    ports: z.array(z.object({ name: z.string(), port: z.number(), targetPort: z.string() })),
  }),
});
const zBudget = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    maxUnavailable: z.literal(1),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  }),
});
// Other variables that any process may have: of OpenTelemetry and Node.
const othersVariables = /^(?:OTEL_|NODE_)/;
// In place of the secrets' files.
const secretExamples: Readonly<Record<string, string>> = {
  ADMIN_TOKEN: "an example of a token",
  API_KEYS: "shop:an-example-of-a-key:6000",
  DATABASE_URL: "postgres://user:password@database:5432/storefront",
  INGEST_TOKEN: "an example of a token",
  REDIS_URL: "rediss://user:password@cache:6380",
  TYPESENSE_API_KEY: "an example of a key",
};
// Files of a Secret of type kubernetes.io/tls.
const membersOfTls: Readonly<Record<string, string>> = {
  TLS_CERT_FILE: "tls.crt",
  TLS_KEY_FILE: "tls.key",
  TLS_CA_FILE: "ca.crt",
};
// Variables with which any process starts.
const examples = {
  ...secretExamples,
  RATE_LIMIT_PER_MINUTE: "600",
  TYPESENSE_URLS: "http://typesense",
};

describeUnlessMissing("manifests and the code that they run", missingContainerTools, suite, {
  isOptional: true,
});

function suite(): void {
  describe.each(Object.entries(trees))("%s", (tree, manifestsOf) => {
    const hasWebhooks = tree === "every component" || tree.endsWith("with webhooks");
    const ofTree = processes.filter(({ name }) => name !== "webhooks" || hasWebhooks);
    let manifests: Manifest[];
    let workloads: Workload[];

    beforeAll(async () => {
      manifests = await manifestsOf();
      workloads = workloadsOf(manifests);
    });

    const workloadOf = (name: string): Workload => {
      const found = workloads.find((workload) => workload.name === name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found;
    };

    test.each(ofTree)(
      "$name knows each variable that is set, accepts its value, and listens on the expected ports",
      ({ name, variables, settingsOf }) => {
        const { container } = workloadOf(name);
        const given = container.env.map((variable) => secretOfFile(variable.name) ?? variable.name);
        expect(given).toEqual([...new Set(given)]);
        const env: Record<string, string> = {};
        for (const { name: key, value = "" } of container.env) {
          const variable = secretOfFile(key) ?? key;
          env[variable] = variable === key ? value : (secretExamples[variable] ?? "");
        }
        const unknown = Object.keys(env).filter(
          (variable) => !variables.includes(variable) && !othersVariables.test(variable),
        );
        expect(unknown).toEqual([]);
        const { ports } = settingsOf(env);
        expect(
          Object.fromEntries(container.ports.map((port) => [port.name, port.containerPort])),
        ).toEqual(ports);
      },
    );

    test.each(ofTree)("$name is probed and scraped by its port and scheme", ({ name }) => {
      const { container, annotations } = workloadOf(name);
      const scheme = schemeOf(name, container.env);
      const probe = (path: string) => ({
        httpGet: { path, port: "http", scheme: scheme.toUpperCase() },
      });
      expect(container.startupProbe).toEqual(probe("/livez"));
      expect(container.livenessProbe).toEqual(probe("/livez"));
      expect(container.readinessProbe).toEqual(probe("/readyz"));
      expect(annotations["prometheus.io/scheme"] ?? "http").toBe(scheme);
    });

    test.each(ofTree)("$name calls services by their port and scheme", ({ name }) => {
      const given = workloadOf(name).container.env;
      const names = serverNames.filter((other) => ofTree.some((one) => one.name === other));
      const addresses = names.map((other) => {
        const scheme = schemeOf(other, workloadOf(other).container.env);
        const url = `${scheme}://${other}:${defaultPorts[other].port}`;
        return [serviceVariables(other).url, url] as const;
      });
      const wrong = addresses.filter(([variable, url]) =>
        given.some((each) => each.name === variable && each.value !== url),
      );
      expect(wrong).toEqual([]);
    });

    test.each(ofTree)(
      "$name has more time to stop than it takes to drain",
      ({ name, settingsOf }) => {
        const { container, pod } = workloadOf(name);
        const plain = container.env.flatMap((given) =>
          given.name.startsWith("SHUTDOWN_") ? [[given.name, given.value ?? ""]] : [],
        );
        const { shutdownDelayMs, shutdownTimeoutMs } = settingsOf({
          ...examples,
          ...Object.fromEntries(plain),
        });
        expect(shutdownDelayMs).toBeGreaterThan(0);
        const graceMs = 1000 * (pod.terminationGracePeriodSeconds ?? 30);
        // The exit itself, and a slow node, need some additional time.
        expect(graceMs).toBeGreaterThanOrEqual(shutdownDelayMs + shutdownTimeoutMs + 5000);
      },
    );

    test.each(ofTree)(
      "$name is exposed by Services on the ports that it has",
      ({ name, settingsOf }) => {
        const { ports } = settingsOf(examples);
        const own = manifests
          .filter(({ kind }) => kind === "Service")
          .map((manifest) => zService.parse(manifest))
          .filter(({ spec }) => spec.selector["app.kubernetes.io/name"] === name);
        const offered = Object.fromEntries(
          own.map(({ metadata, spec }) => [
            `${metadata.name}${spec.clusterIP === "None" ? " (headless)" : ""}`,
            Object.fromEntries(spec.ports.map(({ targetPort, port }) => [targetPort, port])),
          ]),
        );
        // The gateway's metrics port belongs to no Service.
        expect(offered).toEqual(
          name === "gateway"
            ? { gateway: { http: ports["http"] } }
            : { [name]: ports, [`${name}-grpc (headless)`]: { grpc: ports["grpc"] } },
        );
        for (const { spec } of own) expect(workloadOf(name).labels).toMatchObject(spec.selector);
      },
    );

    test.each(ofTree)(
      "$name stops one pod at a time, and none before another is ready",
      ({ name }) => {
        const { strategy, labels, pod } = workloadOf(name);
        expect(strategy).toEqual({
          type: "RollingUpdate",
          rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
        });
        const budgets = manifests
          .filter(({ kind }) => kind === "PodDisruptionBudget")
          .map((manifest) => zBudget.parse(manifest));
        const own = budgets.find(({ metadata }) => metadata.name === name);
        expect(own?.spec.selector.matchLabels).toHaveProperty(["app.kubernetes.io/name"], name);
        expect(labels).toMatchObject(own?.spec.selector.matchLabels ?? {});
        expect(pod.topologySpreadConstraints).toHaveLength(2);
        for (const { labelSelector } of pod.topologySpreadConstraints) {
          expect(labelSelector.matchLabels).toHaveProperty(["app.kubernetes.io/name"], name);
          expect(labels).toMatchObject(labelSelector.matchLabels);
        }
      },
    );

    test("every pod meets the restricted Pod Security Standard, on a read-only file system", () => {
      expect(workloads.map(({ name }) => name)).toContain("migrate");
      for (const { pod, container } of workloads) {
        expect(pod.securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: "RuntimeDefault" },
        });
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(pod.automountServiceAccountToken).toBe(false);
        expect(pod.enableServiceLinks).toBe(false);
        expect(Object.keys(container.resources.requests).toSorted()).toEqual(["cpu", "memory"]);
        expect(Object.keys(container.resources.limits).toSorted()).toEqual(["cpu", "memory"]);
      }
    });

    test("ingest, if present, knows each variable that is set, and listens on the expected port", () => {
      const ingest = workloads.find(({ name }) => name === "ingest")?.container;
      if (ingest === undefined) return;
      const known = [
        ...ingestVariables.keys(),
        ...serviceNames.map((name) => serviceVariables(name).ingestToken),
      ];
      const given = ingest.env.map((variable) => secretOfFile(variable.name) ?? variable.name);
      expect(given).toEqual([...new Set(given)]);
      expect(given.filter((variable) => !known.includes(variable))).toEqual([]);
      const port = ingestVariables.get("INGEST_HTTP_PORT");
      expect(ingest.ports).toEqual([
        { name: "http", containerPort: port && z.parse(port, undefined) },
      ]);
    });

    test("no variable contains a secret", () => {
      const plain = workloads.flatMap(({ container }) =>
        container.env.filter(({ name, value }) => isSecret(name) && value !== undefined),
      );
      // A URL without a user contains no secret.
      const secret = plain.filter(({ value = "" }) => URL.parse(value)?.username !== "");
      expect(secret).toEqual([]);
    });

    test("the files of secrets and certificates are mounted", () => {
      for (const { container, pod } of workloads) {
        for (const { name: variable, value } of container.env) {
          if (!variable.endsWith("_FILE")) continue;
          const mount = container.volumeMounts.find(({ mountPath }) =>
            value?.startsWith(`${mountPath}/`),
          );
          const volume = pod.volumes.find(({ name }) => name === mount?.name);
          const file = value?.slice((mount?.mountPath.length ?? 0) + 1);
          const projected = volume?.projected?.sources.flatMap(({ secret }) => secret.items) ?? [];
          const own = membersOfTls[variable] ?? variable.replace(/_FILE$/, "");
          expect([own, ...projected.map(({ path }) => path)]).toContain(file);
          expect(volume?.secret ?? volume?.projected).toBeDefined();
        }
      }
    });
  });
}

/** The secret that a variable such as `INGEST_TOKEN_FILE` refers to. */
function secretOfFile(variable: string): string | undefined {
  const secret = variable.replace(/_FILE$/, "");
  return secret !== variable && isSecret(secret) ? secret : undefined;
}

/** The scheme that a process serves. The gateway's own ports are always plain. */
function schemeOf(name: string, env: readonly { name: string }[]): "http" | "https" {
  const hasCertificate = env.some((variable) => variable.name === "TLS_CERT_FILE");
  return hasCertificate && name !== "gateway" ? "https" : "http";
}

import { z } from "zod";
import type { Manifest } from "./render.ts";

const zLabels = z.record(z.string(), z.string());

const zProbe = z.object({
  httpGet: z
    .object({
      path: z.string(),
      port: z.union([z.string(), z.number()]),
      scheme: z.enum(["HTTP", "HTTPS"]).default("HTTP"),
    })
    .optional(),
});

const zContainer = z.object({
  name: z.string(),
  image: z.string(),
  env: z.array(z.object({ name: z.string(), value: z.string().optional() })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
  startupProbe: zProbe.optional(),
  livenessProbe: zProbe.optional(),
  readinessProbe: zProbe.optional(),
  resources: z.object({ requests: zLabels, limits: zLabels }),
  securityContext: z.unknown().optional(),
});

const zSecretItems = z.array(z.object({ key: z.string(), path: z.string() }));

const zPodSpec = z.object({
  automountServiceAccountToken: z.boolean().optional(),
  enableServiceLinks: z.boolean().optional(),
  serviceAccountName: z.string().optional(),
  terminationGracePeriodSeconds: z.number().optional(),
  topologySpreadConstraints: z
    .array(z.object({ labelSelector: z.object({ matchLabels: zLabels }) }))
    .default([]),
  securityContext: z.unknown().optional(),
  containers: z.array(zContainer).length(1),
  volumes: z
    .array(
      z.object({
        name: z.string(),
        secret: z.object({ secretName: z.string() }).optional(),
        projected: z
          .object({
            sources: z.array(
              z.object({ secret: z.object({ name: z.string(), items: zSecretItems }) }),
            ),
          })
          .optional(),
      }),
    )
    .default([]),
});

const zWorkload = z.object({
  kind: z.enum(["Deployment", "StatefulSet", "Job"]),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.number().optional(),
    strategy: z.unknown().optional(),
    template: z.object({
      metadata: z.object({ labels: zLabels, annotations: zLabels.default({}) }),
      spec: zPodSpec,
    }),
  }),
});

/** A resource that creates pods, with the one container of each. */
export interface Workload {
  kind: string;
  name: string;
  strategy: unknown;
  labels: z.output<typeof zLabels>;
  annotations: z.output<typeof zLabels>;
  pod: z.output<typeof zPodSpec>;
  container: z.output<typeof zContainer>;
}

/** The Deployments, StatefulSets and Jobs of a tree. */
export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests
    .filter(({ kind }) => ["Deployment", "StatefulSet", "Job"].includes(kind))
    .map((manifest) => {
      const { kind, metadata, spec } = zWorkload.parse(manifest);
      const [container] = spec.template.spec.containers;
      if (container === undefined) throw new Error(`${metadata.name} has no container`);
      const { labels, annotations } = spec.template.metadata;
      const pod = spec.template.spec;
      return {
        kind,
        name: metadata.name,
        strategy: spec.strategy,
        labels,
        annotations,
        pod,
        container,
      };
    });
}

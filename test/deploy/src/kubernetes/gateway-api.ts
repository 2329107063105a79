import { z } from "zod";

// The parts of the Gateway API v1 that the routes here use, strict as its schemas: they are custom
// resource definitions and not types of Kubernetes itself.
// https://gateway-api.sigs.k8s.io/reference/spec/

const zName = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,251}[a-z0-9])?$/);
const zHostname = z
  .string()
  .regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
  .max(253);
const zDuration = z.string().regex(/^([0-9]{1,5}(h|m|s|ms)){1,4}$/);
const zMetadata = z.strictObject({
  name: zName,
  namespace: zName.optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const zParent = z.strictObject({
  name: zName,
  namespace: zName.optional(),
  sectionName: zHostname.optional(),
});
const zBackend = z.strictObject({ name: zName, port: z.int().min(1).max(65_535) });
const zHeaderFilter = z.strictObject({
  type: z.literal("RequestHeaderModifier"),
  requestHeaderModifier: z.strictObject({ remove: z.array(z.string()).max(16) }),
});
const common = {
  parentRefs: z.array(zParent).max(32),
  hostnames: z.array(zHostname).max(16),
};

/** A route of HTTP requests. */
export const zHttpRoute = z.strictObject({
  apiVersion: z.literal("gateway.networking.k8s.io/v1"),
  kind: z.literal("HTTPRoute"),
  metadata: zMetadata,
  spec: z.strictObject({
    ...common,
    rules: z
      .array(
        z.strictObject({
          matches: z.array(
            z.strictObject({
              path: z.strictObject({
                type: z.enum(["Exact", "PathPrefix", "RegularExpression"]),
                value: z.string().startsWith("/").max(1024),
              }),
              method: z
                .enum(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
                .optional(),
            }),
          ),
          timeouts: z
            .strictObject({ request: zDuration.optional(), backendRequest: zDuration.optional() })
            .optional(),
          backendRefs: z.array(zBackend).max(16),
        }),
      )
      .max(16),
  }),
});

/** A route of gRPC calls. */
export const zGrpcRoute = z.strictObject({
  apiVersion: z.literal("gateway.networking.k8s.io/v1"),
  kind: z.literal("GRPCRoute"),
  metadata: zMetadata,
  spec: z.strictObject({
    ...common,
    rules: z
      .array(
        z.strictObject({
          matches: z.array(
            z.strictObject({
              method: z.strictObject({
                type: z.enum(["Exact", "RegularExpression"]).optional(),
                service: z.string().regex(/^[a-z_][a-z_0-9]*(\.[a-z_][a-z_0-9]*)*$/i),
                method: z.string().optional(),
              }),
            }),
          ),
          filters: z.array(zHeaderFilter).max(16).default([]),
          backendRefs: z.array(zBackend).max(16),
        }),
      )
      .max(16),
  }),
});

/** Any route. */
export const zRoute = z.discriminatedUnion("kind", [zHttpRoute, zGrpcRoute]);

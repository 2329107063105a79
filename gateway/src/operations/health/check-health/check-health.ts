import { operation } from "../../operation.ts";
import { zCheckHealthInput, zCheckHealthOutput } from "./check-health.schema.ts";
import type { Health } from "./check-health.schema.ts";
import { checkParts } from "./check-parts.ts";

export const checkHealth = operation({
  method: "GET",
  path: "/health",
  operationId: "checkHealth",
  tag: "health",
  summary: "Check the health of the system",
  description:
    "Probes cache, database and services at once, within 2 seconds. 503 with the same body when any of them fails.",
  storable: false,
  cost: 0,
  input: zCheckHealthInput,
  output: zCheckHealthOutput,
  statusOf: ({ status }) => (status === "ok" ? 200 : 503),
  resolve: async ({ ctx }): Promise<Health> => {
    const services = await checkParts(ctx);
    const failing = Object.entries(services).flatMap(([name, { status }]) =>
      status === "ok" ? [] : name,
    );
    if (failing.length === 0) return { status: "ok", services };
    return {
      status: "error",
      services,
      message: `Not available: ${failing.join(", ")}.`,
      error: "UNAVAILABLE",
    };
  },
});

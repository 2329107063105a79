import { z } from "zod";
import { operation } from "../../operation.ts";
import { checkParts, zParts } from "./check-parts.ts";

const zCheckHealthOutput = z
  .object({
    status: z.enum(["ok", "error"]).meta({ description: "`ok` when every part is." }),
    services: zParts,
    message: z
      .string()
      .optional()
      .meta({ description: "With status 503: what fails.", example: "search does not answer" }),
    error: z
      .string()
      .optional()
      .meta({ description: "With status 503: `UNAVAILABLE`.", example: "UNAVAILABLE" }),
  })
  .meta({ id: "Health", description: "How the parts of the system are doing." });

type Health = z.output<typeof zCheckHealthOutput>;

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
  input: z.object({}),
  output: zCheckHealthOutput,
  isUnavailable: ({ status }) => status !== "ok",
  failures: [503],
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

import { z } from "zod";

const zPart = z
  .object({
    status: z
      .enum(["ok", "error"])
      .meta({ description: "`error` when it fails or takes over 2 s." }),
    latency: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: "Milliseconds; null on error.", example: 1.4 }),
  })
  .meta({ id: "PartHealth", description: "How one part of the system is doing." });

export type PartHealth = z.output<typeof zPart>;

const zParts = z
  .object({
    cache: zPart,
    database: zPart.meta({ description: "The worst over the services that use one." }),
    catalog: zPart,
    pricing: zPart,
    reviews: zPart,
    changelog: zPart.meta({ description: "An error also while it cannot follow the catalog." }),
    search: zPart.meta({
      description: "An error also while its engine is away or cannot be fed.",
    }),
  })
  .meta({ id: "HealthParts", description: "The parts of the system, each by itself." });

export const zCheckHealthInput = z.object({});

export const zCheckHealthOutput = z
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

export type Health = z.output<typeof zCheckHealthOutput>;

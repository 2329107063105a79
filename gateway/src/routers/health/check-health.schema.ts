import { z } from "zod";

const zPart = z
  .object({
    status: z.enum(["ok", "error"]),
    latency: z.number().min(0).nullable().meta({ description: "Milliseconds; null on error." }),
  })
  .meta({ id: "PartHealth", description: "How one part of the system is doing." });

export type PartHealth = z.output<typeof zPart>;

export const zCheckHealthInput = z.object({});

export const zCheckHealthOutput = z
  .object({
    status: z.enum(["ok", "error"]),
    services: z.object({
      cache: zPart,
      database: zPart.meta({ description: "The worst over the services that use one." }),
      catalog: zPart,
      pricing: zPart,
      reviews: zPart,
      changelog: zPart.meta({ description: "An error also while it cannot follow the catalog." }),
      search: zPart.meta({
        description: "An error also while its engine is away or cannot be fed.",
      }),
    }),
    message: z.string().optional().meta({ description: "With status 503: what fails." }),
    error: z.string().optional().meta({ description: "With status 503: `UNAVAILABLE`." }),
  })
  .meta({ id: "Health", description: "How the parts of the system are doing." });

export type Health = z.output<typeof zCheckHealthOutput>;

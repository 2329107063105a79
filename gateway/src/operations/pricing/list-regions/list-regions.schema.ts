import { z } from "zod";

export const zListRegionsInput = z.object({});

export const zListRegionsOutput = z.array(
  z
    .object({
      region: z.string().meta({ description: "Code; not always a country's.", example: "EURO" }),
      currencyCode: z.string().meta({ description: "ISO 4217.", example: "EUR" }),
      countries: z
        .array(z.string())
        .meta({ description: "ISO 3166-1 alpha-2.", example: ["DE", "FR"] }),
    })
    .meta({ id: "Region", description: "Where one price list applies." }),
);

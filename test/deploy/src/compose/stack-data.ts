import { z } from "zod";

const zSearch = z.object({ total: z.number() });
const zOfferLine = z.object({ kind: z.literal("offer"), record: z.object({ id: z.string() }) });

/** Lines of an export. */
export function linesIn(exported: string): string[] {
  return exported.split("\n").filter((line) => line !== "");
}

/** Ids of the offers in an export. */
export function offersIn(exported: string): Set<string> {
  return new Set(
    linesIn(exported).flatMap(
      (line) => zOfferLine.safeParse(JSON.parse(line)).data?.record.id ?? [],
    ),
  );
}

/** How many offers the search of a gateway finds without a condition. */
export async function offersFound(gatewayUrl: string): Promise<number> {
  const response = await fetch(`${gatewayUrl}/search/v2/search`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ limit: 1 }),
  });
  return zSearch.parse(await response.json()).total;
}

import { fetchDocumented } from "./fetch-documented.ts";

/** GET /free-games/sellers as counts by seller, and whether the counts descend. */
export async function askSellers(
  gatewayUrl: string,
): Promise<{ counts: Map<string, number>; isSorted: boolean }> {
  const { body } = await fetchDocumented(`${gatewayUrl}/free-games/sellers`);
  const rows = JSON.parse(body) as { sellerId: string; totalSingleGames: number }[];
  return {
    counts: new Map(rows.map(({ sellerId, totalSingleGames }) => [sellerId, totalSingleGames])),
    isSorted: rows.every(
      ({ totalSingleGames }, index) =>
        totalSingleGames <= (rows[index - 1]?.totalSingleGames ?? Number.POSITIVE_INFINITY),
    ),
  };
}

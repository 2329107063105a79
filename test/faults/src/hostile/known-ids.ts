/** Ids of stored records, so that some requests find something. */
export interface KnownIds {
  offers: string[];
  items: string[];
  sandboxes: string[];
  entries: string[];
  queries: string[];
}

/** Fetches some ids of each kind from a gateway. */
export async function findKnownIds(gatewayUrl: string): Promise<KnownIds> {
  const ask = async (path: string, body?: object) => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    };
    const response = await fetch(gatewayUrl + path, body === undefined ? {} : init);
    return (await response.json()) as Record<string, { id: string; namespace?: string }[]>;
  };
  const { offers = [] } = await ask("/search/v2/search", { limit: 50 });
  const { elements: items = [] } = await ask("/items?limit=50");
  const changes = (await ask("/changelist?limit=20")) as unknown;
  const saved = (await ask("/search", { limit: 1, onSale: true })) as unknown;
  return {
    offers: offers.map(({ id }) => id),
    items: items.map(({ id }) => id),
    sandboxes: [...new Set(offers.map(({ namespace }) => namespace ?? ""))],
    entries: (changes as { _id: string }[]).map(({ _id }) => _id),
    queries: [(saved as { query: string }).query],
  };
}

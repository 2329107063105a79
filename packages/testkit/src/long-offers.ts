/** Observations of offers with texts of some 10 kB, of a thousand ids in turn: for files of any size. */
export function* longOffers(count: number): Generator<object> {
  const observedAt = "2026-01-01T00:00:00.000Z";
  const longDescription = "A long text. ".repeat(760);
  for (let number = 0; number < count; number++) {
    const record = {
      id: `offer-${number % 1000}`,
      namespace: "n",
      title: "A game",
      longDescription,
    };
    yield { kind: "offer", observedAt, record };
  }
}

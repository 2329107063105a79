/** A giveaway as far as its order matters. */
export interface DatedGiveaway {
  readonly id: string;
  readonly startDate: Date | null;
}

/** Of the giveaways of one offer, those that started before `current`, in the order given. */
export function earlierGiveaways<Giveaway extends DatedGiveaway>(
  current: DatedGiveaway,
  ofOffer: readonly Giveaway[],
): Giveaway[] {
  const { startDate } = current;
  if (startDate === null) return [];
  return ofOffer.filter(
    (giveaway) =>
      giveaway.id !== current.id && giveaway.startDate !== null && giveaway.startDate < startDate,
  );
}

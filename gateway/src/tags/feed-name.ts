/** The services whose change feeds the gateway follows. */
export const feedNames = ["catalog", "pricing", "reviews", "changelog"] as const;

export type FeedName = (typeof feedNames)[number];

/** Limits of every paged list of entries. */
export const entryPageLimits = { defaultSize: 10, maxSize: 50 } as const;

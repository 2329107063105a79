/** The region that peers show prices of: that of a client that names no country. */
export const shownRegion = "US";

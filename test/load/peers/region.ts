/** The region whose prices the peers show: that of a client that sends no country. */
export const shownRegion = "US";

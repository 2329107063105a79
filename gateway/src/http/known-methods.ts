/** Methods that operations have; node:http knows some thirty more, and others are anybody's words. */
export const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

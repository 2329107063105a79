/**
 * Whether drills run as many faults, kills or hostile requests as a release needs, by `DRILLS=long`;
 * otherwise fewer, for every change.
 */
export const drillsAreLong = process.env["DRILLS"] === "long";

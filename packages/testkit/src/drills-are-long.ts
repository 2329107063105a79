/**
 * Whether drills run as many faults, kills or hostile requests as a release is held to, by `DRILLS=long`;
 * otherwise as many as every change has time for.
 */
export const drillsAreLong = process.env["DRILLS"] === "long";

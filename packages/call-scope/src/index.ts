export { activeCall, joinCalls, outsideCalls, runForCall } from "./call.ts";
export type { Call } from "./call.ts";
export { settledWithin } from "./settled-within.ts";

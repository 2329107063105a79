export { activeCall, outsideCalls, runForCall } from "./call.ts";
export type { Call } from "./call.ts";
export { joinCalls } from "./join-calls.ts";
export { settledWithin } from "./settled-within.ts";

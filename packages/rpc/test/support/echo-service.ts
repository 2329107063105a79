import { create, toBinary } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { activeCall } from "@storefront/process";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { EventEmitter, once } from "node:events";
import { encoded, invalidFields, notFound } from "../../src/index.ts";
import { EchoResponseSchema } from "../gen/rpctest/v1/echo_service_pb.ts";
import type { Behavior, EchoService } from "../gen/rpctest/v1/echo_service_pb.ts";

/**
 * The handlers that the conformance suite calls. They emit `hang` when one begins to wait, and
 * `stop` with the reason when both its signal and its call are aborted.
 */
export function createEchoService(
  events = new EventEmitter(),
): Partial<ServiceImpl<typeof EchoService>> {
  async function behave(behavior: Behavior | undefined, context: HandlerContext): Promise<void> {
    if (behavior === undefined) return;
    if (behavior.metadata !== "") {
      context.responseHeader.set("x-test", behavior.metadata);
      context.responseTrailer.set("x-test", behavior.metadata);
    }
    const { failure } = behavior;
    if (failure.case === "refuse") {
      throw notFound(ErrorReason.OFFER_NOT_FOUND, "refused", { offerId: failure.value });
    }
    if (failure.case === "invalid") {
      throw invalidFields([
        { field: "text", description: "must not be so" },
        { field: "count", description: "must be less" },
      ]);
    }
    if (failure.case === "crash") throw new TypeError(failure.value);
    if (failure.case === "hang") {
      events.emit("hang");
      const isOver = new Promise((resolve) => activeCall()?.onAbort(resolve));
      if (!context.signal.aborted) await Promise.all([once(context.signal, "abort"), isOver]);
      events.emit("stop", context.signal.reason);
      throw context.signal.reason;
    }
  }

  const textOf = (text: string, behavior: Behavior | undefined): string =>
    behavior === undefined || behavior.sizeBytes === 0 ? text : "x".repeat(behavior.sizeBytes);

  return {
    async echo({ text, behavior }, context) {
      const timeoutMs = context.timeoutMs() ?? -1;
      await behave(behavior, context);
      const response = create(EchoResponseSchema, {
        text: textOf(text, behavior),
        requestId: context.requestHeader.get("x-request-id") ?? "",
        timeoutMs: Math.round(timeoutMs),
      });
      return behavior?.encoded === true
        ? encoded(EchoResponseSchema, toBinary(EchoResponseSchema, response))
        : response;
    },
    echoOnce: ({ text }) => ({ text }),
    async *repeat({ text, count, behavior }, context) {
      for (let index = 0; index < count; index++) yield { text: textOf(text, behavior), index };
      await behave(behavior, context);
    },
    async join(requests, context) {
      const texts: string[] = [];
      let last: Behavior | undefined;
      for await (const { text, behavior } of requests) {
        texts.push(text);
        last = behavior;
      }
      await behave(last, context);
      return { text: texts.join("") };
    },
    async *chat(requests, context) {
      for await (const { text, behavior } of requests) {
        await behave(behavior, context);
        yield { text: textOf(text, behavior) };
      }
    },
  };
}

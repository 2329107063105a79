import { create } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import type { ClosableTransport } from "@storefront/rpc";
import { readLogKey } from "../tags/read-log.ts";
import { noteReads } from "../tags/rpc-reads.ts";

/**
 * A transport that notes in the log of a call's request what the call read. It is done here, below
 * the operations, so that none can forget it. Calls without a log are passed on as they are.
 */
export function recordingTransport(transport: ClosableTransport): ClosableTransport {
  const unary: Transport["unary"] = async (
    method,
    signal,
    timeoutMs,
    header,
    input,
    contextValues,
  ) => {
    const log = contextValues?.get(readLogKey);
    if (log === undefined) {
      return await transport.unary(method, signal, timeoutMs, header, input, contextValues);
    }
    const request = create(method.input, input);
    try {
      const answer = await transport.unary(method, signal, timeoutMs, header, request);
      noteReads(log, method, request, answer.message);
      return answer;
    } catch (error) {
      // Whoever goes on without an answer has read something too.
      log.noteUnfollowed();
      throw error;
    }
  };
  return {
    unary,
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
  };
}

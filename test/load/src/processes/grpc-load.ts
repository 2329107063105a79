// Loads a gRPC server with unary calls by grpc-js, over one connection. Responses stay bytes: decoding
// them would take the same time for every server and hide what differs. Arguments: host and port,
// path of the method, calls in progress at once, seconds per round, then serialized requests in
// base64. Each message starts a round and gets its result.
import { Client, credentials } from "@grpc/grpc-js";
import { askInTurn } from "../ask-in-turn.ts";

const [address = "", method = "", concurrency, roundSeconds, ...encoded] = process.argv.slice(2);
const requests = encoded.map((text) => Buffer.from(text, "base64"));
const client = new Client(address, credentials.createInsecure());
const untouched = (bytes: Buffer): Buffer => bytes;

function call(request: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(method, untouched, untouched, request, (error, response) => {
      if (error !== null) reject(error);
      else if (response === undefined) reject(new Error("there is no response"));
      else resolve(response);
    });
  });
}

process.on("message", () => {
  const ask = (number: number) => call(requests[number % requests.length] ?? Buffer.alloc(0));
  void askInTurn(ask, Number(concurrency), Number(roundSeconds)).then((result) =>
    process.send?.(result),
  );
});
process.send?.({ ready: true });

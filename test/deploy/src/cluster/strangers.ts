import { z } from "zod";
import type { Cluster } from "./cluster.ts";
import { namespace } from "./cluster.ts";

/** Connects to each of its parameters, `host:port`, and prints those that let it. */
const program = `
const { connect } = require("node:net");
const targets = process.argv.slice(1);
Promise.all(targets.map((target) => new Promise((resolve) => {
  const [host, port] = target.split(":");
  const socket = connect({ host, port: Number(port), timeout: 3000 });
  const end = (reached) => { socket.destroy(); resolve(reached); };
  socket.once("connect", () => end(true));
  socket.once("timeout", () => end(false));
  socket.once("error", () => end(false));
}))).then((reached) => process.stdout.write(JSON.stringify(targets.filter((_, index) => reached[index]))));
`;

/** Uploads a line to ingest with a token, and prints the response. */
const upload = `
const { request } = require("node:https");
const [token, ca, line] = process.argv.slice(1);
const headers = { authorization: "Bearer " + token };
const signal = AbortSignal.timeout(30000);
request("https://ingest:4300/ingest", { method: "POST", ca, headers, signal }, (response) => {
  response.pipe(process.stdout);
}).end(line);
`;

/** Starts a pod with some labels that does nothing. */
export async function startIdlePod(
  cluster: Cluster,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name, labels },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: "idle",
          image: "storefront/cli:dev",
          command: ["node", "-e", "setInterval(() => undefined, 60_000)"],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
    },
  };
  await cluster.applyObjects([pod]);
  await cluster.kubectl(["wait", "--for=condition=Ready", `pod/${name}`, "--timeout=60s"]);
}

/** Those of some addresses, `host:port`, that a pod can connect to. */
export async function reachedFrom(
  cluster: Cluster,
  pod: string,
  targets: readonly string[],
): Promise<string[]> {
  const output = await cluster.kubectl(["exec", pod, "--", "node", "-e", program, ...targets]);
  return z.array(z.string()).parse(JSON.parse(output));
}

/** Sends one line of import to ingest from a pod. @returns the lines of the response */
export async function uploadFrom(
  cluster: Cluster,
  pod: string,
  { token, ca, line }: { token: string; ca: Buffer; line: object },
): Promise<unknown[]> {
  const parameters = [token, ca.toString(), `${JSON.stringify(line)}\n`];
  const output = await cluster.kubectl(["exec", pod, "--", "node", "-e", upload, ...parameters]);
  return output
    .trim()
    .split("\n")
    .map((json): unknown => JSON.parse(json));
}

import type { Transport } from "@connectrpc/connect";
import type { ServiceName } from "@storefront/config";
import type { ClosableTransport } from "@storefront/rpc";
import { Outage } from "../import/outage.ts";
import type { RetryOptions } from "../import/outage.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { UserError } from "../user-error.ts";

/** Does something with a service of the copy, from its beginning each time that the service was away. */
export type CallService = <Answer>(
  service: ServiceName,
  call: (transport: Transport) => Promise<Answer>,
) => Promise<Answer>;

/** Calls over one connection to each service, which is opened anew after a failure. */
export function serviceCaller(connections: ServiceConnections, retry: RetryOptions): CallService {
  const open = new Map<ServiceName, ClosableTransport>();

  async function connectionTo(service: ServiceName): Promise<ClosableTransport> {
    const transport = open.get(service) ?? (await connections.open(service));
    if (transport === undefined) {
      throw new UserError(`This stack does not run the ${service} service.`);
    }
    open.set(service, transport);
    return transport;
  }

  return async (service, call) => {
    const outage = new Outage(service, retry);
    for (;;) {
      try {
        const answer = await call(await connectionTo(service));
        outage.end();
        return answer;
      } catch (error) {
        await open.get(service)?.close();
        open.delete(service);
        await outage.wait(await connections.explain(service, error));
      }
    }
  };
}

import { ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import type { ServiceName } from "@storefront/config";
import { kinds } from "@storefront/import-format";
import type { ClosableTransport } from "@storefront/rpc";
import { ChannelBrokenError } from "../import/ingest-channel.ts";
import { ingestServices } from "../import/ingest-services.ts";
import { Outage } from "../import/outage.ts";
import type { RetryOptions } from "../import/outage.ts";
import { createSummaryRecorder } from "../import/summary.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";

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

/** Forgets a record that the origin has forgotten, waiting for its service if that is away. */
export type ForgetMirrored = (kind: string, key: readonly string[]) => Promise<void>;

/** Forgetting in the services of a stack. */
export function forgetMirrored(call: CallService): ForgetMirrored {
  return async (kind, key) => {
    const service = kinds.get(kind)?.service;
    const ingest = service && ingestServices[service];
    if (service === undefined || ingest?.forget === undefined) {
      throw new UserError(`This release cannot forget a record of kind ${kind}; update it.`);
    }
    // Only the catalogue's records have entries, which come along.
    const isMirrored = service === "catalog";
    const record = { kind, key: [...key], ...(isMirrored && { isMirrored }) };
    await call(service, async (transport) => {
      await ingest.forget?.(transport, record);
    });
  };
}

/**
 * What to tell of a call to the copy's own services that no waiting mends, such as a refused token: the origin is
 * asked by other means, so no error of this form is its. Any other error as it is.
 */
export function failureOfCopy(error: unknown): unknown {
  if (error instanceof ChannelBrokenError) return told(error.reason, error);
  return error instanceof ConnectError ? told(messageOf(error), error) : error;
}

function told(reason: string, cause: Error): UserError {
  return new UserError(`The copy cannot be written: ${reason}.`, { cause });
}

/** Sees that a copy leaves nothing out: one that does is none. */
export class TakenLines {
  readonly #note: (line: string) => void;
  #refusal = "";
  #unknownMembers = 0;
  /** Of the importer. */
  readonly summary = createSummaryRecorder(({ reason }) => {
    this.#refusal ||= reason;
  }, false);

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /** @throws UserError when a line was refused */
  require(): void {
    if (this.summary.rejectedCount > 0) {
      throw new UserError(
        `A record was refused (${this.#refusal}). The mirror stops before it, so that nothing is left out; its stack may be of an older release than the origin.`,
      );
    }
    const { unknownMembers } = this.summary.result();
    if (unknownMembers > 0 && this.#unknownMembers === 0) {
      this.#note(
        "The origin gives members that this release does not know, which are left out: update it.",
      );
    }
    this.#unknownMembers = unknownMembers;
  }
}

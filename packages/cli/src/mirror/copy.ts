import { ConnectError } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import type { ServiceName } from "@storefront/process";
import { kinds } from "@storefront/import-format";
import type { ClosableTransport } from "@storefront/rpc";
import { ChannelBrokenError } from "../import/ingest-channel.ts";
import { ingestServices } from "../import/ingest-services.ts";
import { Outage } from "../import/outage.ts";
import type { RetryOptions } from "../import/outage.ts";
import { createSummaryRecorder } from "../import/summary.ts";
import type { ServiceConnections } from "../stack/service-connections.ts";
import { messageOf, UserError } from "../user-error.ts";

/** Calls a service of the copy; again from the start after each outage. */
export type CallService = <Result>(
  service: ServiceName,
  call: (transport: Transport) => Promise<Result>,
) => Promise<Result>;

/** Calls over one connection to each service, which is opened again after a failure. */
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
        const result = await call(await connectionTo(service));
        outage.end();
        return result;
      } catch (error) {
        await open.get(service)?.close();
        open.delete(service);
        await outage.wait(await connections.explain(service, error));
      }
    }
  };
}

/** Forgets a record that the origin has forgotten; waits for its service. */
export type ForgetMirrored = (kind: string, key: readonly string[]) => Promise<void>;

export function forgetMirrored(call: CallService): ForgetMirrored {
  return async (kind, key) => {
    const service = kinds.get(kind)?.service;
    const ingest = service && ingestServices[service];
    if (service === undefined || ingest?.forget === undefined) {
      throw new UserError(`This release cannot forget a record of kind ${kind}; update it.`);
    }
    // Only the catalogue's records have entries, which are mirrored too.
    const isMirrored = service === "catalog";
    const record = { kind, key: [...key], ...(isMirrored && { isMirrored }) };
    await call(service, async (transport) => {
      await ingest.forget?.(transport, record);
    });
  };
}

/**
 * The user's error for a permanent failure of the copy's own services, such as a refused token; any other error
 * unchanged. The origin is called without Connect, so its errors have another form.
 */
export function failureOfCopy(error: unknown): unknown {
  if (error instanceof ChannelBrokenError) return unwritable(error.reason, error);
  return error instanceof ConnectError ? unwritable(messageOf(error), error) : error;
}

function unwritable(reason: string, cause: Error): UserError {
  return new UserError(`The copy cannot be written: ${reason}.`, { cause });
}

/** Ends a mirror whose copy would be incomplete. */
export class ImportCheck {
  readonly #note: (line: string) => void;
  #refusal = "";
  #unknownMembers = 0;
  readonly summary = createSummaryRecorder(({ reason }) => {
    this.#refusal ||= reason;
  }, 0);

  constructor(note: (line: string) => void) {
    this.#note = note;
  }

  /** @throws UserError when a line was rejected */
  throwIfRefused(): void {
    if (this.summary.rejectedCount > 0) {
      throw new UserError(
        `A record was refused (${this.#refusal}). The mirror stops before it, so that the copy has no gap; its stack may be of an older release than the origin.`,
      );
    }
    const { unknownMembers } = this.summary.result();
    if (unknownMembers > 0 && this.#unknownMembers === 0) {
      this.#note(
        "The origin sends members that this release does not know and ignores: update it.",
      );
    }
    this.#unknownMembers = unknownMembers;
  }
}

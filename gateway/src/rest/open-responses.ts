import type { Socket } from "node:net";
import { unavailable } from "../errors/public-error.ts";
import { addressBlockOf } from "../http/client-address.ts";
import type { EndpointRequest } from "./endpoint.ts";

export interface OpenResponseLimits {
  /** Of the kind, in errors: `stream`. */
  noun: string;
  max: number;
  /** Of one IPv4 address or IPv6 /64. */
  perAddressMax: number;
  /** Seconds after which a client that is refused may try again; default 1. */
  retryAfterSeconds?: number;
}

export interface OpenResponse {
  /** Aborted when the response must end. */
  signal: AbortSignal;
  /** Ends the response. A second call does nothing. */
  end: () => void;
}

/** Responses of one kind that last long, such as streams: bounded in number, and ended together. */
export class OpenResponses {
  /** Requests by how they ended, since the process began. */
  readonly outcomes = { opened: 0, refused: 0, refused_address: 0 };
  readonly #limits: OpenResponseLimits;
  readonly #open = new Set<AbortController>();
  readonly #countByAddress = new Map<string, number>();
  readonly #sockets = new WeakSet<Socket>();
  #isClosed = false;

  constructor(limits: OpenResponseLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#open.size;
  }

  /** @throws SERVICE_UNAVAILABLE at a limit, and after `close` */
  open({ message: { socket }, clientAddress }: EndpointRequest): OpenResponse {
    const { noun, max, perAddressMax } = this.#limits;
    if (this.#isClosed) throw unavailable("The gateway is shutting down; try again.");
    // Its response would begin when the first one ends.
    if (this.#sockets.has(socket)) {
      throw this.#refusal("refused_address", `This connection already has an open ${noun}.`);
    }
    const address = addressBlockOf(clientAddress);
    const count = this.#countByAddress.get(address) ?? 0;
    if (count >= perAddressMax) {
      const message = `Too many open ${noun}s from your IP address; close one first.`;
      throw this.#refusal("refused_address", message);
    }
    if (this.#open.size >= max) {
      throw this.#refusal("refused", `Too many open ${noun}s; try again later.`);
    }
    const controller = new AbortController();
    this.#open.add(controller);
    this.#countByAddress.set(address, count + 1);
    this.#sockets.add(socket);
    this.outcomes.opened += 1;
    const end = () => {
      if (!this.#open.delete(controller)) return;
      const others = (this.#countByAddress.get(address) ?? 1) - 1;
      if (others > 0) this.#countByAddress.set(address, others);
      else this.#countByAddress.delete(address);
      this.#sockets.delete(socket);
      controller.abort();
    };
    return { signal: controller.signal, end };
  }

  /** Ends every response, and refuses later ones. */
  close(): void {
    this.#isClosed = true;
    for (const controller of this.#open) controller.abort();
  }

  #refusal(outcome: "refused" | "refused_address", message: string): Error {
    this.outcomes[outcome] += 1;
    return unavailable(message, this.#limits.retryAfterSeconds);
  }
}

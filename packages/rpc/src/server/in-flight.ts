import type { ConnectError } from "@connectrpc/connect";
import type { CallContext } from "./call-context.ts";

/** The calls that run, so that closing can wait for them and stop them. */
export class InFlight {
  readonly #calls = new Set<CallContext>();
  #onIdle: (() => void) | undefined;

  get count(): number {
    return this.#calls.size;
  }

  start(call: CallContext): void {
    this.#calls.add(call);
  }

  end(call: CallContext): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#onIdle?.();
  }

  /** Resolves when no call runs, at the latest after `timeoutMs`; false if calls still run then. */
  async idle(timeoutMs: number): Promise<boolean> {
    if (this.#calls.size === 0) return true;
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /** Stops the handlers of all calls; those that listen to their signal can still respond. */
  stop(reason: ConnectError): void {
    for (const call of this.#calls) call.abort(reason);
  }
}

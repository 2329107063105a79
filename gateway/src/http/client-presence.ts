/** Whether a client still waits for its answer. */
export class ClientPresence {
  #controller: AbortController | undefined;
  #hasLeft = false;

  /** Aborted when the client leaves before it has the whole answer. Made when it is first asked for. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#hasLeft) this.#controller.abort(clientLeft);
    }
    return this.#controller.signal;
  }

  leave(): void {
    this.#hasLeft = true;
    this.#controller?.abort(clientLeft);
  }
}

/** Made once, since making the default one takes a stack trace. */
const clientLeft = new Error("the client has left");

import { chooseCoding, encodeBody } from "./content-coding.ts";
import type { ContentCoding } from "./content-coding.ts";
import { bodyDigestOf, entityTagIn } from "./conditions.ts";
import { jsonType } from "./headers.ts";

/** A representation (RFC 9110): a body in one coding with everything that is sent with it, but for what differs by request. */
export interface Representation {
  /**
   * Small ones as text, a character per byte (`latin1`), which node:http sends in one piece with the
   * headers; that takes a fifth less time.
   */
  body: string | Buffer;
  entityTag: string;
  /** Names and values in turn. */
  headers: readonly string[];
  /** The headers of a 304: without those of the body. */
  unchangedHeaders: readonly string[];
}

/** Headers of every answer of an endpoint: names and values in turn. */
export interface EndpointHeaders {
  /** For an answer that anyone may keep. */
  shared: readonly string[];
  /** For one that depends on the cookie of its client. */
  private: readonly string[];
  /** As `shared`, for caches that are purged by tag when a write touches the answer; absent where there are none. */
  purged?: readonly string[];
  /** Of bodies; default: JSON. */
  contentType?: string | undefined;
}

/** Who may keep an answer; `purged` counts as `shared` where no cache is purged. */
export type Audience = "shared" | "private" | "purged";

/** What a protocol says around a body. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

/** Bytes of headers, objects and strings beside the body. */
const overheadBytes = 2048;

// Beyond it, copying the text behind the headers costs more than it saves.
const textMaxBytes = 8192;

type Variants = Partial<Record<Audience, Representation>>;

/** The representations of one body, by coding and audience: each made once, when it is first asked for. */
export class Representations {
  /**
   * A small body as text, a character per byte: the engine's heap closes its gaps, while small
   * buffers share pages that stay as long as one of them is kept.
   */
  readonly #content: string | Buffer;
  readonly #headers: EndpointHeaders;
  #digest: string | undefined;
  #lastAccepted: string | undefined;
  #lastCoding: ContentCoding = "identity";
  readonly #prepared: Partial<Record<ContentCoding, Variants>> = {};
  readonly #encoding: Partial<Record<ContentCoding, Promise<Buffer>>> = {};
  readonly #tagBytes: number;
  #encodedBytes = 0;
  #enveloped: Map<Envelope, Representations> | undefined;
  /** Told when an encoded or enveloped form has added to the size. */
  onGrown: (() => void) | undefined;

  constructor(body: Buffer, headers: EndpointHeaders) {
    this.#content = body.length <= textMaxBytes ? body.toString("latin1") : body;
    this.#headers = headers;
    this.#tagBytes = headers.purged?.at(-1)?.length ?? 0;
  }

  /** The bytes in the coding `identity`. */
  get body(): Buffer {
    const content = this.#content;
    return typeof content === "string" ? Buffer.from(content, "latin1") : content;
  }

  /** With the encoded and enveloped forms that there are. */
  get sizeBytes(): number {
    let sizeBytes = overheadBytes + this.#content.length + this.#encodedBytes + this.#tagBytes;
    for (const enveloped of this.#enveloped?.values() ?? []) sizeBytes += enveloped.sizeBytes;
    return sizeBytes;
  }

  /** Whether both have the same bytes. */
  isLike(other: Representations): boolean {
    const [one, another] = [this.#content, other.#content];
    if (typeof one === "string" || typeof another === "string") return one === another;
    return one.equals(another);
  }

  /** What to send to who accepts these codings; undefined while it has to be made by `prepare`. */
  ready(accepted: string | undefined, audience: Audience): Representation | undefined {
    return this.#prepared[this.#codingFor(accepted)]?.[audience];
  }

  /** As `ready`; makes it. */
  async prepare(accepted: string | undefined, audience: Audience): Promise<Representation> {
    const coding = this.#codingFor(accepted);
    const variants = (this.#prepared[coding] ??= {});
    const content = coding === "identity" ? this.#content : await this.#encoded(coding);
    return (variants[audience] ??= this.#withHeaders(content, coding, audience));
  }

  /** The same body in an envelope, made when it is first asked for. */
  within(envelope: Envelope): Representations {
    const known = this.#enveloped?.get(envelope);
    if (known !== undefined) return known;
    const enveloped = new Representations(bodyWithin(envelope, this.body), this.#headers);
    enveloped.onGrown = () => this.onGrown?.();
    this.#enveloped ??= new Map();
    this.#enveloped.set(envelope, enveloped);
    this.onGrown?.();
    return enveloped;
  }

  // Most of those who ask for an answer are alike.
  #codingFor(accepted: string | undefined): ContentCoding {
    if (accepted === undefined) return "identity";
    if (accepted !== this.#lastAccepted) {
      this.#lastAccepted = accepted;
      this.#lastCoding = chooseCoding(accepted, this.#content.length);
    }
    return this.#lastCoding;
  }

  #encoded(coding: ContentCoding): Promise<Buffer> {
    return (this.#encoding[coding] ??= this.#encode(coding));
  }

  async #encode(coding: ContentCoding): Promise<Buffer> {
    const bytes = await encodeBody(this.body, coding);
    this.#encodedBytes += bytes.length + overheadBytes;
    this.onGrown?.();
    return bytes;
  }

  #withHeaders(body: string | Buffer, coding: ContentCoding, audience: Audience): Representation {
    this.#digest ??= bodyDigestOf(this.body);
    const { [audience]: headers = this.#headers.shared, contentType = jsonType } = this.#headers;
    return representationOf({ body, coding, digest: this.#digest, contentType, headers });
  }
}

/** What a representation is made of. */
export interface RepresentationParts {
  /** In the coding. */
  body: string | Buffer;
  coding: ContentCoding;
  /** Of the body in the coding `identity`. */
  digest: string;
  contentType: string;
  /** Also of a 304: names and values in turn. */
  headers: readonly string[];
}

/** A body in a coding, with its headers and its strong entity tag. */
export function representationOf(parts: RepresentationParts): Representation {
  const { body, coding, digest, contentType, headers } = parts;
  const entityTag = entityTagIn(coding, digest);
  const unchangedHeaders = [...headers, "ETag", entityTag];
  const encoding = coding === "identity" ? [] : ["Content-Encoding", coding];
  const own = ["Content-Type", contentType, "Content-Length", String(body.length)];
  return { body, entityTag, headers: [...unchangedHeaders, ...encoding, ...own], unchangedHeaders };
}

/** A body in an envelope. */
export function bodyWithin({ before, after }: Envelope, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(before), body, Buffer.from(after)]);
}

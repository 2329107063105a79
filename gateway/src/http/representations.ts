import { bodyDigestOf, entityTagIn } from "./conditions.ts";
import { chooseCoding, encodeBody } from "./content-coding.ts";
import type { ContentCoding } from "./content-coding.ts";
import { jsonType } from "./headers.ts";

/** A representation (RFC 9110): a body in one coding, and its headers but for those that differ by request. */
export interface Representation {
  /**
   * Small ones as text, a character per byte (`latin1`), which node:http sends in one piece with the
   * headers; that takes a fifth less time.
   */
  body: string | Buffer;
  /** Without the mark of a weak one. */
  entityTag: string;
  /** The cursor of the next part of a list. */
  next: string | undefined;
  /** Names and values in turn. */
  headers: readonly string[];
  /** The headers of a 304: without those of the body. */
  unchangedHeaders: readonly string[];
}

/** Headers of every response of an endpoint by audience: names and values in turn. */
export interface EndpointHeaders {
  shared: readonly string[];
  /** Default: `shared`. */
  private?: readonly string[];
  /** Default: `shared`; absent where responses have no tags. */
  purged?: readonly string[];
  /** Of bodies; default: JSON. */
  contentType?: string | undefined;
  /** Default: bodies are validated by all their bytes, and none is a part of a list. */
  listed?: ListedBody | undefined;
}

/** How the body of a part of a list, as text with a character per byte, is validated and linked. */
export interface ListedBody {
  /** The body without what differs from one making to the next: the entity tag is made of it, and weak. */
  lasting(body: string): string;
  /** The cursor of the next part, which is the parameter `cursor` of its URL; undefined at the end. */
  nextIn(body: string): string | undefined;
}

/**
 * Who may store a response: any cache; its client alone, whose cookie it depends on; or caches that are purged by tag
 * when a write touches it. `purged` counts as `shared` where there are no such caches.
 */
export type Audience = "shared" | "private" | "purged";

/** The text of a protocol around a body. */
export interface Envelope {
  readonly before: string;
  readonly after: string;
}

/** A body in other codings than `identity`. */
export type EncodedBodies = Partial<Record<Exclude<ContentCoding, "identity">, Buffer>>;

/** Bytes of headers, objects and strings beside the body. */
const overheadBytes = 2048;

/** Beyond it, copying the text behind the headers costs more than it saves. */
const textMaxBytes = 8192;

/** Types of bodies that another coding does not make smaller. */
const compressedType = /^(?:image\/png|font\/woff2)$/;

/** The representations of one body, by coding and audience: each made once, on its first use. */
export class Representations {
  /**
   * A small body as text, a character per byte: the engine's heap closes its gaps, while small
   * buffers share pages that stay as long as one of them is in use.
   */
  readonly #content: string | Buffer;
  readonly #headers: EndpointHeaders;
  #digest: string | undefined;
  #lastAccepted: string | undefined;
  #lastCoding: ContentCoding = "identity";
  readonly #prepared: Partial<Record<ContentCoding, Partial<Record<Audience, Representation>>>> =
    {};
  readonly #encoded: Partial<Record<ContentCoding, Buffer | Promise<Buffer>>>;
  #encodedBytes = 0;
  #enveloped: Map<Envelope, Representations> | undefined;
  /** Called when an encoded or enveloped form has added to the size. */
  onGrown: (() => void) | undefined;

  /** @param encoded default: made on first use */
  constructor(body: Buffer, headers: EndpointHeaders, encoded: EncodedBodies = {}) {
    this.#content = body.length <= textMaxBytes ? body.toString("latin1") : body;
    this.#headers = headers;
    this.#encoded = { ...encoded };
  }

  /** The bytes in the coding `identity`. */
  get body(): Buffer {
    const content = this.#content;
    return typeof content === "string" ? Buffer.from(content, "latin1") : content;
  }

  /** The same as text with a character per byte. */
  get #text(): string {
    return typeof this.#content === "string" ? this.#content : this.#content.toString("latin1");
  }

  /** With the encoded and enveloped forms that exist. */
  get sizeBytes(): number {
    const tagBytes = this.#headers.purged?.at(-1)?.length ?? 0;
    let sizeBytes = overheadBytes + this.#content.length + this.#encodedBytes + tagBytes;
    for (const enveloped of this.#enveloped?.values() ?? []) sizeBytes += enveloped.sizeBytes;
    return sizeBytes;
  }

  /** Whether both have the same bytes. */
  isLike(other: Representations): boolean {
    const [one, another] = [this.#content, other.#content];
    if (typeof one === "string" || typeof another === "string") return one === another;
    return one.equals(another);
  }

  /** The representation for a client that accepts these codings; undefined until `prepare` has made it. */
  ready(accepted: string | undefined, audience: Audience): Representation | undefined {
    return this.#prepared[this.#codingFor(accepted)]?.[audience];
  }

  /** As `ready`; makes it. */
  async prepare(accepted: string | undefined, audience: Audience): Promise<Representation> {
    const coding = this.#codingFor(accepted);
    const variants = (this.#prepared[coding] ??= {});
    const body =
      coding === "identity"
        ? this.#content
        : await (this.#encoded[coding] ??= this.#encode(coding));
    return (variants[audience] ??= this.#represent(body, coding, audience));
  }

  /** The same body in an envelope, made on its first use. */
  within(envelope: Envelope): Representations {
    const known = this.#enveloped?.get(envelope);
    if (known !== undefined) return known;
    // The URL of an envelope has no parameter of the cursor.
    const { listed: _, ...headers } = this.#headers;
    const enveloped = new Representations(bodyWithin(envelope, this.body), headers);
    enveloped.onGrown = () => this.onGrown?.();
    this.#enveloped ??= new Map();
    this.#enveloped.set(envelope, enveloped);
    this.onGrown?.();
    return enveloped;
  }

  /** Most clients of a response accept the same codings. */
  #codingFor(accepted: string | undefined): ContentCoding {
    if (accepted === undefined) return "identity";
    if (accepted !== this.#lastAccepted) {
      const isCompressed = compressedType.test(this.#headers.contentType ?? jsonType);
      this.#lastAccepted = accepted;
      this.#lastCoding = isCompressed ? "identity" : chooseCoding(accepted, this.#content.length);
    }
    return this.#lastCoding;
  }

  async #encode(coding: ContentCoding): Promise<Buffer> {
    const bytes = await encodeBody(this.body, coding);
    this.#encodedBytes += bytes.length + overheadBytes;
    this.onGrown?.();
    return bytes;
  }

  #represent(body: string | Buffer, coding: ContentCoding, audience: Audience): Representation {
    const { [audience]: headers = this.#headers.shared, contentType = jsonType } = this.#headers;
    const { listed } = this.#headers;
    this.#digest ??= bodyDigestOf(listed ? listed.lasting(this.#text) : this.body);
    const entityTag = entityTagIn(coding, this.#digest);
    const unchangedHeaders = [...headers, "ETag", listed ? `W/${entityTag}` : entityTag];
    const encoding = coding === "identity" ? [] : ["Content-Encoding", coding];
    const own = ["Content-Type", contentType, "Content-Length", String(body.length)];
    const all = [...unchangedHeaders, ...encoding, ...own];
    const next = listed?.nextIn(this.#text);
    return { body, entityTag, next, headers: all, unchangedHeaders };
  }
}

export function bodyWithin({ before, after }: Envelope, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(before), body, Buffer.from(after)]);
}

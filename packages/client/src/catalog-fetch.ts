/** What of an answer the client needs; every `fetch` answers with more, whatever its classes. */
export interface CatalogResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Only needed to follow changes. */
  readonly body?: CatalogBody | null;
  json(): Promise<unknown>;
}

/** A stream of the web, as far as it is read. */
export interface CatalogBody {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> };
}

/** What of a request the client says. */
export interface CatalogRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** The global `fetch`, or one like it, such as undici's. */
export type CatalogFetch = (url: string, request?: CatalogRequest) => Promise<CatalogResponse>;

/** An answer that is not JSON, such as a proxy's page. */
export class UnreadableResponse extends Error {
  readonly response: CatalogResponse;

  constructor(response: CatalogResponse, cause: unknown) {
    super("The answer is no JSON.", { cause });
    this.name = "UnreadableResponse";
    this.response = response;
  }
}

/** Whether the value is an answer, of whatever class. */
export function isCatalogResponse(value: unknown): value is CatalogResponse {
  if (typeof value !== "object" || value === null) return false;
  const { status, headers }: { status?: unknown; headers?: unknown } = value;
  return (
    typeof status === "number" &&
    typeof headers === "object" &&
    headers !== null &&
    "get" in headers
  );
}

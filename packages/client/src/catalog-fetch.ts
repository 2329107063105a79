/** The part of a response that the client reads; any `fetch` implementation has it. */
export interface CatalogResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Only needed to follow changes. */
  readonly body?: CatalogBody | null;
  json(): Promise<unknown>;
}

/** The part of a web stream that the client reads. */
export interface CatalogBody {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> };
}

/** The part of a request that the client sets. */
export interface CatalogRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

/** The global `fetch`, or one like it, such as undici's. */
export type CatalogFetch = (url: string, request?: CatalogRequest) => Promise<CatalogResponse>;

/** A response that is not JSON, such as a proxy's page. */
export class UnreadableResponse extends Error {
  readonly response: CatalogResponse;

  constructor(response: CatalogResponse, cause: unknown) {
    super("The response is not JSON.", { cause });
    this.name = "UnreadableResponse";
    this.response = response;
  }
}

/** Whether the value is a response, of any class. */
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

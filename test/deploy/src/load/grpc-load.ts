import { fromBinary, toBinary, create } from "@bufbuild/protobuf";
import {
  CatalogService,
  GetOfferRequestSchema,
  GetOfferResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { Client, status } from "@grpc/grpc-js";
import type { ChannelCredentials, ServiceError } from "@grpc/grpc-js";
import { repeat, together } from "./background.ts";
import type { Background } from "./background.ts";
import type { Tally } from "./tally.ts";

/** Clients of the catalog, their rate and its address. */
export interface GrpcLoadOptions {
  /** As grpc-js takes it, such as `10.125.0.7:4201`. */
  target: string;
  credentials: ChannelCredentials;
  /** Spreads its calls over all addresses of the target; else it takes the first. */
  roundRobin: boolean;
  offerIds: readonly string[];
  clients: number;
  pauseMs: number;
  tally: Tally;
}

const timeoutMs = 40_000;

/** Calls go to addresses; the catalog's certificate has its name. */
export const nameInCertificate = { "grpc.ssl_target_name_override": "catalog" };

/**
 * Clients of the catalog's gRPC port: plain ones of grpc-js, which by themselves send again what the
 * server certainly has not begun, and nothing else.
 */
export function startGrpcLoad(options: GrpcLoadOptions): Background {
  const { target, credentials, roundRobin, offerIds, clients, pauseMs, tally } = options;
  const method = CatalogService.method.getOffer;
  const path = `/${method.parent.typeName}/${method.name}`;
  const policy = roundRobin ? "round_robin" : "pick_first";
  return together(
    Array.from({ length: clients }, (_, index) => {
      const client = new Client(target, credentials, {
        ...nameInCertificate,
        "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ [policy]: {} }] }),
        // Clients of one process would share their connections.
        "grpc.use_local_subchannel_pool": 1,
        "grpc.dns_min_time_between_resolutions_ms": 1000,
      });
      const sending = repeat(pauseMs, async (round) => {
        const offerId = offerIds[(index + round * clients) % offerIds.length];
        const message = create(GetOfferRequestSchema, { offerId: offerId ?? "" });
        const response = await new Promise<Uint8Array | Partial<ServiceError>>((resolve) => {
          client.makeUnaryRequest(
            path,
            (bytes: Uint8Array) => Buffer.from(bytes),
            (bytes: Buffer) => bytes,
            toBinary(GetOfferRequestSchema, message),
            { deadline: Date.now() + timeoutMs },
            (error, bytes) => resolve(error ?? bytes ?? new Error("no response")),
          );
        });
        if (!(response instanceof Uint8Array)) failed(tally, response);
        else if (fromBinary(GetOfferResponseSchema, response).offer?.id === offerId)
          tally.succeed();
        else tally.fail(`${offerId}: another offer`);
      });
      return {
        async stop() {
          await sending.stop();
          client.close();
        },
      };
    }),
  );
}

/** Counts a call that failed: UNAVAILABLE because of the database is no broken connection. */
export function failed(tally: Tally, { code, message = "" }: Partial<ServiceError>): void {
  if (code === status.UNAVAILABLE && message.includes("database")) tally.beUnavailable(message);
  else tally.fail(message);
}

// The peer: Nest's gRPC microservice over node-postgres. Arguments: the database's URL, its own port.
// Nest requires this import at the start of a program.
// oxlint-disable-next-line import/no-unassigned-import -- gives `Reflect` what Nest's decorators write to
import "reflect-metadata";
import { Controller, Inject, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { GrpcMethod, RpcException, Transport } from "@nestjs/microservices";
import type { MicroserviceOptions } from "@nestjs/microservices";
import { status } from "@grpc/grpc-js";
import { Pool } from "pg";
import { collectionWithPrices, offerWithPrice } from "../offer-queries.ts";
import type { OfferRow } from "../offer-queries.ts";
import { decorateClass, decorateMethod } from "./decorate.ts";
import { grpcOptions } from "./grpc-options.ts";

const [databaseUrl = "", port] = process.argv.slice(2);

const poolToken = "POOL";

interface OfferRequest {
  id: string;
  region: string;
}

class OffersController {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async getOffer({ id, region }: OfferRequest): Promise<OfferRow> {
    const { rows } = await this.#pool.query<OfferRow>({ ...offerWithPrice, values: [id, region] });
    const [row] = rows;
    if (row === undefined) throw offerNotFound();
    return row;
  }

  async listCollection({ id, region }: OfferRequest): Promise<{ offers: OfferRow[] }> {
    const { rows } = await this.#pool.query<OfferRow>({
      ...collectionWithPrices,
      values: [id, region],
    });
    if (rows.length === 0) throw offerNotFound();
    return { offers: rows };
  }
}
decorateMethod(OffersController, "getOffer", [GrpcMethod("OffersService", "GetOffer")]);
decorateMethod(OffersController, "listCollection", [GrpcMethod("OffersService", "ListCollection")]);
decorateClass(OffersController, [Controller()], [Inject(poolToken)]);

function offerNotFound(): RpcException {
  return new RpcException({ code: status.NOT_FOUND, message: "Offer not found" });
}

// oxlint-disable-next-line typescript/no-extraneous-class -- a Nest module is a class
class AppModule {}
decorateClass(AppModule, [
  Module({
    controllers: [OffersController],
    providers: [
      { provide: poolToken, useFactory: () => new Pool({ connectionString: databaseUrl }) },
    ],
  }),
]);

const app = await NestFactory.createMicroservice<MicroserviceOptions>(AppModule, {
  transport: Transport.GRPC,
  options: grpcOptions(`127.0.0.1:${port}`),
  logger: false,
});
await app.listen();
process.send?.({ port: Number(port) });

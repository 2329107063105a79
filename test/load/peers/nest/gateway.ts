// The peer: Nest on Fastify in front of Nest's gRPC microservice. Argument: its host and port.
// Nest requires this import at the start of a program.
// oxlint-disable-next-line import/no-unassigned-import -- gives `Reflect` what Nest's decorators write to
import "reflect-metadata";
import { Controller, Get, Inject, Module, NotFoundException, Param } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ClientsModule, Transport } from "@nestjs/microservices";
import type { ClientGrpc } from "@nestjs/microservices";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { status } from "@grpc/grpc-js";
import { catchError, map } from "rxjs";
import type { Observable } from "rxjs";
import { shownRegion } from "../region.ts";
import { decorateClass, decorateMethod } from "./decorate.ts";
import { grpcOptions } from "./grpc-options.ts";
import { toOfferDto } from "./offer-dto.ts";
import type { PricedOfferMessage } from "./offer-messages.ts";

const [microserviceAddress = ""] = process.argv.slice(2);

const clientToken = "OFFERS_PACKAGE";

interface OffersService {
  getOffer(request: { id: string; region: string }): Observable<PricedOfferMessage>;
  listCollection(request: {
    id: string;
    region: string;
  }): Observable<{ offers: PricedOfferMessage[] }>;
}

class OffersController {
  readonly #client: ClientGrpc;
  #offers: OffersService | undefined;

  constructor(client: ClientGrpc) {
    this.#client = client;
  }

  onModuleInit(): void {
    this.#offers = this.#client.getService<OffersService>("OffersService");
  }

  getOffer(id: string) {
    return this.#offers
      ?.getOffer({ id, region: shownRegion })
      .pipe(map(toOfferDto), catchError(toHttpException));
  }

  listCollection(id: string) {
    return this.#offers?.listCollection({ id, region: shownRegion }).pipe(
      map(({ offers }) => offers.map(toOfferDto)),
      catchError(toHttpException),
    );
  }
}
decorateMethod(OffersController, "getOffer", [Get(":id")], [Param("id")]);
decorateMethod(OffersController, "listCollection", [Get(":id/collection")], [Param("id")]);
decorateClass(OffersController, [Controller("offers")], [Inject(clientToken)]);

function toHttpException(error: { code?: number }): never {
  if (error.code === status.NOT_FOUND) throw new NotFoundException("Offer not found");
  throw error;
}

// oxlint-disable-next-line typescript/no-extraneous-class -- a Nest module is a class
class AppModule {}
decorateClass(AppModule, [
  Module({
    imports: [
      ClientsModule.register([
        {
          name: clientToken,
          transport: Transport.GRPC,
          options: grpcOptions(microserviceAddress),
        },
      ]),
    ],
    controllers: [OffersController],
  }),
]);

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
  logger: false,
});
await app.listen(0, "127.0.0.1");
process.send?.({ port: Number(new URL(await app.getUrl()).port) });

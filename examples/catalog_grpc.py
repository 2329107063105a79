#!/usr/bin/env python3
"""Lists offers with their prices by gRPC, then shows one. Messages are made from the contract that the gateway serves.

Needs grpcio and protobuf: `apt install python3-grpcio python3-protobuf`. proto/README.md generates typed clients.
"""

import argparse
from urllib.request import urlopen

import grpc
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message_factory import GetMessages

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("offer", nargs="?", help="id of the offer to show; default the first one")
parser.add_argument("--gateway", default="http://localhost:4000", help="address of the gateway")
parser.add_argument("--catalog", default="localhost:4201", help="address of the catalog service")
parser.add_argument("--pricing", default="localhost:4202", help="address of the pricing service")
parser.add_argument("--region", default="EURO", help="region of the prices; default EURO")
options = parser.parse_args()

with urlopen(f"{options.gateway}/docs/storefront.binpb", timeout=10) as contract:
    messages = GetMessages(FileDescriptorSet.FromString(contract.read()).file)


def call(channel, service, method, **fields):
    """The response of a unary method to a request with these fields. Waits up to 5 s for a service that starts."""
    package = service.rpartition(".")[0]
    request, response = (messages[f"{package}.{method}{suffix}"] for suffix in ("Request", "Response"))
    send = channel.unary_unary(f"/{service}/{method}", request.SerializeToString, response.FromString)
    return send(request(**fields), timeout=5, wait_for_ready=True)


catalog_service = "storefront.catalog.v1.CatalogService"
pricing_service = "storefront.pricing.v1.PricingService"

with grpc.insecure_channel(options.catalog) as catalog, grpc.insecure_channel(options.pricing) as pricing:
    page = call(catalog, catalog_service, "ListOffers", offer_types=["BASE_GAME"], page_size=5)
    ids = [offer.id for offer in page.offers]
    known = call(pricing, pricing_service, "ListRegions").regions
    # Amounts are in the currency's smallest unit: 1999 with 2 decimals is 19.99.
    decimals = {region.id: region.currency_decimals for region in known}[options.region]
    found = call(pricing, pricing_service, "BatchGetPrices", offer_ids=ids, region=options.region)
    prices = {each.offer_id: each.price for each in found.prices}
    for offer in page.offers:
        price = "no price"
        if offer.id in prices:
            amount = prices[offer.id].discount_price / 10**decimals
            price = f"{amount:.{decimals}f} {prices[offer.id].currency_code}"
        print(offer.id, price, offer.title, sep="\t")

    try:
        offer = call(catalog, catalog_service, "GetOffer", offer_id=options.offer or ids[0]).offer
    except grpc.RpcError as error:
        if error.code() is not grpc.StatusCode.NOT_FOUND:
            raise
        raise SystemExit(f"NOT_FOUND: {error.details()}") from None
    print(f"{offer.title}: {offer.description}")

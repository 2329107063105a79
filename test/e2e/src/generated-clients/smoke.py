"""Reads an offer, the regions and an unknown offer by the generated Python client; prints them as JSON."""

import json
import sys

import grpc
from storefront.catalog.v1 import catalog_service_pb2, catalog_service_pb2_grpc
from storefront.pricing.v1 import pricing_service_pb2, pricing_service_pb2_grpc

catalog_address, pricing_address, offer_id = sys.argv[1:]

with grpc.insecure_channel(catalog_address) as to_catalog, grpc.insecure_channel(pricing_address) as to_pricing:
    catalog = catalog_service_pb2_grpc.CatalogServiceStub(to_catalog)
    pricing = pricing_service_pb2_grpc.PricingServiceStub(to_pricing)
    offer = catalog.GetOffer(catalog_service_pb2.GetOfferRequest(offer_id=offer_id), timeout=10).offer
    regions = pricing.ListRegions(pricing_service_pb2.ListRegionsRequest(), timeout=10).regions
    try:
        catalog.GetOffer(catalog_service_pb2.GetOfferRequest(offer_id="unknown"), timeout=10)
        unknown = "OK"
    except grpc.RpcError as error:
        unknown = error.code().name
    print(json.dumps({"title": offer.title, "regions": [region.id for region in regions], "unknown": unknown}))

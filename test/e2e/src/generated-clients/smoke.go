// Reads an offer, the regions and an unknown offer by the generated Go client; prints them as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	catalogv1 "storefront.example/client/storefront/catalog/v1"
	pricingv1 "storefront.example/client/storefront/pricing/v1"
)

func dial(address string) *grpc.ClientConn {
	connection, err := grpc.Dial(address, grpc.WithInsecure())
	if err != nil {
		log.Fatal(err)
	}
	return connection
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	catalog := catalogv1.NewCatalogServiceClient(dial(os.Args[1]))
	pricing := pricingv1.NewPricingServiceClient(dial(os.Args[2]))
	found, err := catalog.GetOffer(ctx, &catalogv1.GetOfferRequest{OfferId: os.Args[3]})
	if err != nil {
		log.Fatal(err)
	}
	listed, err := pricing.ListRegions(ctx, &pricingv1.ListRegionsRequest{})
	if err != nil {
		log.Fatal(err)
	}
	regions := []string{}
	for _, region := range listed.GetRegions() {
		regions = append(regions, region.GetId())
	}
	_, err = catalog.GetOffer(ctx, &catalogv1.GetOfferRequest{OfferId: "unknown"})
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"title":   found.GetOffer().GetTitle(),
		"regions": regions,
		"unknown": status.Code(err).String(),
	})
}

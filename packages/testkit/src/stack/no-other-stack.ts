/** Variables of a stack elsewhere that would lead a command astray. */
export const noOtherStack = {
  DATA_DIR: undefined,
  DATABASE_URL: undefined,
  INGEST_TOKEN: undefined,
  CATALOG_GRPC_URL: undefined,
  PRICING_GRPC_URL: undefined,
  REVIEWS_GRPC_URL: undefined,
  SEARCH_GRPC_URL: undefined,
};

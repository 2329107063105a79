import { create, toBinary } from "@bufbuild/protobuf";
import type { DescFile } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { file_google_rpc_error_details } from "@storefront/contracts/google/rpc/error_details";
import { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { ErrorReasonSchema } from "@storefront/contracts/type/v1/error_reason";

const services = [CatalogService, PricingService, ReviewsService, ChangelogService, SearchService];

/**
 * The services that callers read, their errors, and all that these import, as a `google.protobuf.FileDescriptorSet`
 * without comments.
 */
export function descriptorSet(): Buffer {
  const files = new Set<DescFile>();
  // Compilers want each file after those that it imports.
  const add = (file: DescFile) => {
    for (const imported of file.dependencies) add(imported);
    files.add(file);
  };
  for (const { file } of [...services, ErrorReasonSchema]) add(file);
  add(file_google_rpc_error_details);
  const file = [...files].map(({ proto }) => proto);
  return Buffer.from(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })));
}

#!/usr/bin/env bash
# Builds the image of every process, or of those named, from the bundles in dist/.
#
#   npx -y pnpm@12 bundle && deploy/docker/build-images.sh [PROCESS…]
#
# Variables: REPOSITORY (default storefront), TAG (default the version, by ../version.sh), BASE (default the
# Dockerfile's), SOURCE (address of the repository), CONTEXT (a checkout; default this one), BUILD (the command; default `docker build`, or such
# as `buildah bud` or `podman build`).
set -euo pipefail
dockerfile=$(realpath "$(dirname "$0")")/Dockerfile
print_version=$(realpath "$(dirname "$0")/../version.sh")
cd "${CONTEXT:-$(dirname "$0")/../..}"

version=$("$print_version")
commit=$(git rev-parse HEAD 2>/dev/null || echo unknown)
if [ $# -eq 0 ]; then
  set -- cli catalog pricing reviews changelog search gateway
  # Another checkout may be of a release without it.
  if [ -e services/webhooks/src/main.ts ]; then set -- "$@" webhooks; fi
fi

for process; do
  [ -e "dist/$process/main.js" ] || { echo "There is no dist/$process: run npx -y pnpm@12 bundle." >&2; exit 1; }
  # shellcheck disable=SC2086 # The command has words of its own.
  ${BUILD:-docker build} \
    --file "$dockerfile" \
    --build-arg "PROCESS=$process" \
    --build-arg "VERSION=$version" \
    --build-arg "COMMIT=$commit" \
    --build-arg "SOURCE=${SOURCE:-}" \
    ${BASE:+--build-arg "BASE=$BASE"} \
    --tag "${REPOSITORY:-storefront}/$process:${TAG:-$version}" \
    .
done

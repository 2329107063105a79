#!/usr/bin/env bash
# Generates the gRPC clients of a release from proto/: dist/clients/python (a package with pyproject.toml) and
# dist/clients/go (a module), each also as an archive beside it.
#
#   deploy/clients/build-clients.sh
#
# Needs protoc, grpc_python_plugin, protoc-gen-go and protoc-gen-go-grpc: on Debian the packages protobuf-compiler,
# protobuf-compiler-grpc, protoc-gen-go and protoc-gen-go-grpc. Variables: GO_MODULE (the path under which you publish
# the Go module; default storefront.example/client), OUT (default dist/clients).
set -euo pipefail
cd "$(dirname "$0")/../.."

for program in protoc grpc_python_plugin protoc-gen-go protoc-gen-go-grpc; do
  hash "$program" 2>/dev/null || { echo "$program is not installed." >&2; exit 1; }
done

version=$(deploy/version.sh)
module=${GO_MODULE:-storefront.example/client}
out=${OUT:-dist/clients}
rm -rf "$out"
mkdir -p "$out/python" "$out/go"

npx -y pnpm@12 exec buf generate proto --path proto/storefront --path proto/buf --template "$(cat <<TEMPLATE
version: v2
managed:
  enabled: true
  disable: [{ path: google }]
  override: [{ file_option: go_package_prefix, value: "$module" }]
plugins:
  - { protoc_builtin: python, out: "$out/python" }
  - { local: grpc_python_plugin, out: "$out/python" }
  - { local: protoc-gen-go, out: "$out/go", opt: "module=$module" }
  - { local: protoc-gen-go-grpc, out: "$out/go", opt: "module=$module" }
TEMPLATE
)"

cat > "$out/python/pyproject.toml" <<PYPROJECT
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "storefront-client"
version = "$version"
description = "gRPC clients of the storefront catalogue's services"
license = { text = "MIT" }
requires-python = ">=3.9"
dependencies = ["grpcio>=1.51", "protobuf>=3.21"]

[tool.setuptools.packages.find]
include = ["storefront*", "buf*"]
PYPROJECT

# The versions of Debian 12, which the smoke test compiles with; consumers may require later ones.
cat > "$out/go/go.mod" <<GOMOD
module $module

go 1.19

require (
	google.golang.org/grpc v1.33.3
	google.golang.org/protobuf v1.28.1
)
GOMOD

cp LICENSE "$out/python"
cp LICENSE "$out/go"
for language in python go; do
  tar --directory "$out" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner \
    --transform "s,^$language,storefront-client-$language-$version," \
    -czf "$out/storefront-client-$language-$version.tar.gz" "$language"
done

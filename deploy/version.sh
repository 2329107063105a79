#!/usr/bin/env bash
# Prints the version of the checkout in the current directory. Between releases package.json has one such as 0.3.1-dev.0,
# whose last number becomes that of the commits since the release: 0.3.1-dev.17. It stays 0 where the clone's history is
# too short to count them.
set -euo pipefail

version=$(sed -n 's/.*"version": "\(.*\)".*/\1/p' package.json)
if [[ $version == *-dev.0 ]]; then
  release=$(sed -n 's/.*"commit": "\(.*\)".*/\1/p' test/release-before.json)
  if commits=$(git rev-list --count "$release..HEAD" 2>/dev/null); then version=${version%0}$commits; fi
fi
echo "$version"

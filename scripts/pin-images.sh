#!/bin/sh
# Pins each image in the Dockerfile and in docker-compose.yml to the current digest of its tag: name:tag@sha256:…
# Requires access to the registry; .github/workflows/images.yml runs this script every Monday. An image without a tag is
# built locally and not changed.
set -eu
cd "${1:-$(dirname "$0")/..}"
for file in Dockerfile docker-compose.yml; do
  for image in $(sed -nE 's/^(FROM| +image:) +([^ ]+:[^ ]+).*/\2/p' "$file" | sort -u); do
    tagged=${image%@*}
    digest=$(docker buildx imagetools inspect "$tagged" --format '{{.Manifest.Digest}}')
    case $digest in
      sha256:*) ;;
      *) echo "$tagged has no digest: $digest" >&2; exit 1 ;;
    esac
    sed -i -E "s#^(FROM| +image:) $image( |\$)#\\1 $tagged@$digest\\2#" "$file"
    echo "$file: $tagged@$digest"
  done
done

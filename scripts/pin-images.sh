#!/bin/sh
# Pins each image that the Dockerfile and docker-compose.yml name to the digest that its tag has now: name:tag@sha256:…
# Run it where a registry answers; .github/workflows/images.yml does each Monday. An image without a tag is built here and stays.
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

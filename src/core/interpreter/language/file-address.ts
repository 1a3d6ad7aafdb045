const filePath = /^\/+api\/+(?:files|v1\/+(?:type)?bots\/+[^/]+\/+results\/+[^/]+\/+files)\/+([^/]+)\/*$/i;

/**
 * The last segment of an address that our router would read as a file's address, on any host; undefined for any other
 * address.
 */
export function fileNameInPath(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address)) return undefined;
  return filePath.exec(decoded(URL.parse(address)?.pathname ?? ""))?.[1];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

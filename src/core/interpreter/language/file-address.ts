const filePath = /^\/+api\/+(?:files|v1\/+(?:type)?bots\/+[^/]+\/+results\/+[^/]+\/+files)\/+([^/]+)\/*$/i;

/**
 * Returns the file name if our router would treat the path of the URL as a file. The host is ignored. Returns undefined
 * for any other URL.
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

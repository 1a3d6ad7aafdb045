import type { Answer, Client } from "./client.ts";

/** A PDF file as described by a visitor's browser. */
export const letter = { fileName: "letter.pdf", fileType: "application/pdf" };

/** Requests the URL for uploading a file. */
export function askToUpload(client: Client, sessionId: string, file: object = letter): Promise<Answer> {
  return client.post("/api/v3/generate-upload-url", { body: { sessionId, blockId: "any", ...letter, ...file } });
}

/** Uploads content to a URL, as a browser does. */
export function put(
  client: Client,
  asked: Answer,
  content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const type = asked.at("fileType");
  return client.put(new URL(asked.text("presignedUrl")).pathname, {
    rawBody: content,
    headers: {
      "Content-Type": typeof type === "string" ? type : "application/octet-stream",
      "Cache-Control": "public, max-age=86400",
      ...headers,
    },
  });
}

/** Requests an upload and sends the file. Returns the file's URL. */
export async function upload(
  client: Client,
  sessionId: string,
  content: string | Uint8Array<ArrayBuffer>,
  file: object = {},
): Promise<string> {
  const asked = await askToUpload(client, sessionId, file);
  const stored = await put(client, asked, content);
  if (stored.status !== 200) throw new Error(`The upload failed: ${JSON.stringify(stored.body)}`);
  return asked.text("fileUrl");
}

/** Returns the name at the end of a file's URL. */
export function fileNameIn(fileUrl: string): string {
  return fileUrl.slice(fileUrl.lastIndexOf("/") + 1);
}

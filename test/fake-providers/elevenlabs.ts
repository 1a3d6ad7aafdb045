import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

/** An MP3 frame of silence. */
export const silence = Uint8Array.from([0xff, 0xfb, 0x90, 0x00, ...new Array<number>(413).fill(0)]);

/**
 * Starts the text-to-speech API of ElevenLabs with one voice, based on
 * https://elevenlabs.io/docs/api-reference/text-to-speech/convert.
 */
export function startFakeElevenlabs({ port = 0, voiceId = "voice1" } = {}): Promise<FakeProvider> {
  return startFake({
    name: "elevenlabs",
    port,
    answer: (asked) => answer(asked, voiceId),
    refusal: (status, { headers }) => said("refused", `Refused with ${status}: ${headers["xi-api-key"]}`),
  });
}

function answer({ method, path, query, headers, json }: Asked, voiceId: string): Answer {
  const key = headers["xi-api-key"] ?? "";
  if (key === "" || key.startsWith("wrong")) return { status: 401, json: said("invalid_api_key", "Invalid API key") };
  if (method === "GET" && path === "/v1/user") return { json: { user_id: "user-1", first_name: "Ana" } };
  if (method === "GET" && path === "/v1/voices") return { json: { voices: [{ voice_id: voiceId, name: "Rachel" }] } };
  const [, voice] = /^\/v1\/text-to-speech\/([^/]+)$/.exec(path) ?? [];
  if (method !== "POST" || voice === undefined) return { status: 404, json: said("not_found", "Not found") };
  if (voice !== voiceId) {
    return { status: 404, json: said("voice_not_found", `A voice with the voice_id ${voice} was not found.`) };
  }
  const { text, model_id: model } = json;
  if (typeof text !== "string" || text === "" || text.length > 10_000 || typeof model !== "string") {
    return { status: 422, json: { detail: [{ loc: ["body", "text"], msg: "field required" }] } };
  }
  if (!query.get("output_format")?.startsWith("mp3_")) return { status: 422, json: said("format", "Unknown format") };
  return { bytes: silence, headers: { "content-type": "audio/mpeg" } };
}

function said(status: string, message: string): unknown {
  return { detail: { status, message } };
}

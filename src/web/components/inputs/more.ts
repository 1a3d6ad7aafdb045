import type { InputKind } from "./parts/input-kind.ts";

/**
 * Further kinds of inputs. This list is loaded on demand, so that it is not part of every page; each kind then needs
 * another request.
 */
export const more: ReadonlyMap<string, () => Promise<InputKind>> = new Map([
  ["time input", async () => (await import("./time.tsx")).timeInput],
  ["picture choice input", async () => (await import("./pictures.tsx")).pictureInput],
  ["ranking input", async () => (await import("./ranking.tsx")).rankingInput],
  ["matrix input", async () => (await import("./matrix.tsx")).matrixInput],
  ["signature input", async () => (await import("./signature/signature.tsx")).signatureInput],
  ["text input, country", async () => (await import("./countries/country.tsx")).countryInput],
  ["address input", async () => (await import("./address.tsx")).addressInput],
  ["cards", async () => (await import("./cards.tsx")).cardsInput],
  ["payment input", async () => (await import("./payment.tsx")).paymentInput],
  ["file input", async () => (await import("./files.tsx")).fileInput],
  ["text input with files", async () => (await import("./text-with-files.tsx")).textWithFilesInput],
  ["text input, suggestions", async () => (await import("./suggestions.tsx")).suggestionsInput],
  ["text input with files, suggestions", async () => (await import("./files-and-suggestions.ts")).bothInput],
]);

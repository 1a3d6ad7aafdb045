import { asks, flowOf } from "./chat.ts";

/**
 * A file with 40 HTTP blocks of the old form, whose addresses were stored elsewhere, a block of an unknown type, and
 * keys that are never read.
 */
export function fortyCalls() {
  const calls = Array.from({ length: 40 }, (_, index) => ({
    ...{ id: `call-${index}`, type: "Webhook", webhookId: `w${index}` },
    options: { isAdvancedConfig: true, isCustomBody: true, variablesForTest: [] },
  }));
  const odd = { id: "odd", type: "Telepathy" };
  const input = asks("text input", { isPrefillDisabled: true, sparkle: 1, credentialsId: "x" });
  return { ...flowOf([...calls, odd, input]), name: "Calls" };
}

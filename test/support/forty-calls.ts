import { asks, flowOf } from "./chat.ts";

/**
 * Returns a file with 40 HTTP blocks of an old format whose URLs were stored elsewhere, a block of an unknown type, and
 * unused keys.
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

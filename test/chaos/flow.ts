import { asks, flowOf, says } from "../support/chat.ts";

/** What a visitor of the chaos test says, in order. */
export const replies = ["Ana", "green", "ana@example.com", "goodbye"];

/** A call of the receiver, which is told whose it is; what it answers is shown. */
function calls(url: string, place: string) {
  return {
    id: `calls at the ${place}`,
    type: "Webhook",
    options: {
      isAdvancedConfig: true,
      isCustomBody: true,
      webhook: { url, method: "POST", body: `{"ticket":"{{Ticket}}","place":"${place}","chance":"{{Chance}}"}` },
      responseVariableMapping: [{ id: `m ${place}`, variableId: "v-Answer", bodyPath: "data.word" }],
    },
  };
}

const draws = (id: string) => ({
  id,
  type: "Set variable",
  options: { variableId: "v-Chance", expressionToEvaluate: "return String(Math.random())", isCode: true },
});

const question = (id: string, variableId: string) => ({ ...asks("text input", { variableId }), id });

/** Text inputs, scripts that draw lots, two calls to the outside (one of them in the start) and a mail; four replies end it. */
export function chaosFlow(receiverUrl: string) {
  const flow = flowOf([
    draws("draw 0"),
    calls(receiverUrl, "start"),
    says("{{Answer}} {{Chance}}. Your name?", "hello"),
    question("name", "v-Name"),
    draws("draw 1"),
    says("{{Name}}, {{Chance}}. Your colour?", "colours"),
    question("colour", "v-Colour"),
    draws("draw 2"),
    calls(receiverUrl, "middle"),
    says("{{Answer}} {{Chance}}. Your e-mail?", "mails"),
    { ...asks("email input", { variableId: "v-Email" }), id: "mail" },
    {
      id: "sends",
      type: "Email",
      options: { credentialsId: "default", recipients: ["team@example.com"], subject: "{{Ticket}}", body: "{{Name}}" },
    },
    says("Anything else?", "asks more"),
    question("else", "v-Last"),
    says("Thank you, {{Name}} of {{Colour}}.", "bye"),
  ]);
  const names = ["Colour", "Last", "Ticket", "Chance", "Answer"];
  return { ...flow, variables: [...flow.variables, ...names.map((name) => ({ id: `v-${name}`, name }))] };
}

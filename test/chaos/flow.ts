import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";

/** A conversation that visitors repeat. */
export type Scenario = {
  flow(receiverUrl: string): object;
  readonly replies: readonly string[];
  /** The inputs that the replies answer, in order. */
  readonly blockIds: readonly string[];
  /** Whether each conversation makes two HTTP calls and sends a mail. */
  readonly hasEffects: boolean;
};

/** A conversation with every effect of a step. */
export const withEffects: Scenario = {
  flow: chaosFlow,
  replies: ["Ana", "green", "ana@example.com", "goodbye"],
  blockIds: ["name", "colour", "mail", "else"],
  hasEffects: true,
};

/** A conversation with as many steps as possible. */
export const plain: Scenario = {
  flow: plainFlow,
  replies: ["Ana", "green", "bread", "goodbye"],
  blockIds: ["name", "colour", "food", "else"],
  hasEffects: false,
};

/** Returns a block that calls the receiver with the visitor's name, and shows the response. */
function calls(url: string, place: string) {
  return {
    id: `calls at the ${place}`,
    type: "Webhook",
    options: {
      isAdvancedConfig: true,
      isCustomBody: true,
      webhook: { url, method: "POST", body: `{"ticket":"{{Ticket}}","place":"${place}","chance":"{{Chance}}"}` },
      responseVariableMapping: [{ id: `m ${place}`, variableId: idOf("Answer"), bodyPath: "data.word" }],
    },
  };
}

const draws = (id: string) => ({
  id,
  type: "Set variable",
  options: { variableId: idOf("Chance"), expressionToEvaluate: "return String(Math.random())", isCode: true },
});

const question = (id: string, variableId: string) => ({ ...asks("text input", { variableId }), id });

/**
 * Chats of remembered visitors last 30 days, other chats 24 hours. A clock that steps back by a day and returns would
 * leave the other chats a minute at most (see decision 020), so some would expire.
 */
const remembered = { general: { rememberUser: { isEnabled: true, storage: "local" } } };

function chaosFlow(receiverUrl: string) {
  const flow = flowOf([
    draws("draw 0"),
    calls(receiverUrl, "start"),
    says("{{Answer}} {{Chance}}. Your name?", "hello"),
    question("name", idOf("Name")),
    draws("draw 1"),
    says("{{Name}}, {{Chance}}. Your colour?", "colours"),
    question("colour", idOf("Colour")),
    draws("draw 2"),
    calls(receiverUrl, "middle"),
    says("{{Answer}} {{Chance}}. Your e-mail?", "mails"),
    { ...asks("email input", { variableId: idOf("Email") }), id: "mail" },
    {
      id: "sends",
      type: "Email",
      options: { credentialsId: "default", recipients: ["team@example.com"], subject: "{{Ticket}}", body: "{{Name}}" },
    },
    says("Anything else?", idOf("asks more")),
    question("else", idOf("Last")),
    says("Thank you, {{Name}} of {{Colour}}.", "bye"),
  ]);
  const names = ["Colour", "Last", "Ticket", "Chance", "Answer"];
  return {
    ...flow,
    settings: remembered,
    variables: [...flow.variables, ...names.map((name) => ({ id: idOf(name), name }))],
  };
}

function plainFlow() {
  const flow = flowOf([
    draws("draw 0"),
    says("{{Chance}}. Your name?", "hello"),
    question("name", idOf("Name")),
    says("{{Name}}, your colour?", "colours"),
    question("colour", idOf("Colour")),
    says("And your food?", "foods"),
    question("food", idOf("Email")),
    says("Anything else?", idOf("asks more")),
    question("else", idOf("Last")),
    says("Thank you, {{Name}} of {{Colour}}.", "bye"),
  ]);
  const names = ["Colour", "Last", "Ticket", "Chance"];
  return {
    ...flow,
    settings: remembered,
    variables: [...flow.variables, ...names.map((name) => ({ id: idOf(name), name }))],
  };
}

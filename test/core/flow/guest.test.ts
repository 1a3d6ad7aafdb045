import { expect, test } from "bun:test";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { flowForGuest } from "../../../src/core/flow/guest.ts";
import { markUnsafe } from "../../../src/core/flow/safety.ts";
import { idOf } from "../../support/builder-ids.ts";

const block = (type: string, options: unknown) => Object.assign({ id: "b", type }, { options });

test("a guest sees no credential ids at any depth, and no security settings", () => {
  const flow = completeFlow({
    groups: [
      {
        id: "g",
        blocks: [
          block("Email", { credentialsId: "secret", recipients: ["a@example.com"] }),
          block("Webhook", { proxyCredentialsId: "secret", tools: [{ credentialsId: "secret", name: "c" }] }),
          { id: "t", type: "text" },
        ],
      },
    ],
    settings: { security: { allowedOrigins: ["https://a.example"] }, general: { isBrandingEnabled: true } },
  });
  const seen = flowForGuest(flow);
  expect(JSON.stringify(seen)).not.toContain("secret");
  expect(seen.settings).toEqual({ general: { isBrandingEnabled: true } });
  expect(seen.groups[0]?.blocks).toEqual([
    block("Email", { recipients: ["a@example.com"] }),
    block("Webhook", { tools: [{ name: "c" }] }),
    { id: "t", type: "text" },
  ]);
  expect(JSON.stringify(flow)).toContain("secret");
});

test("a guest sees no requests, no code and no initial values of variables", () => {
  const flow = completeFlow({
    groups: [
      {
        id: "g",
        blocks: [
          block("Webhook", {
            isCustomBody: true,
            webhook: {
              url: "https://hook.example/secret",
              headers: [{ key: "X-Key", value: "secret" }],
              body: "secret",
            },
            variablesForTest: [{ variableId: idOf("v"), value: "secret" }],
            responseVariableMapping: [{ variableId: idOf("v"), bodyPath: "data.id" }],
          }),
          block("Make.com", { webhook: { url: "https://hook.example/secret" } }),
          block("Code", { name: "Sum", content: "secret()" }),
          block("Set variable", { variableId: idOf("v"), expressionToEvaluate: "secret()" }),
          block("openai", {
            model: "m",
            tools: [{ name: "find", code: "secret()" }],
            functions: [{ code: "secret()" }],
          }),
        ],
      },
    ],
    variables: [{ id: idOf("v"), name: "Key", value: "secret" }],
  });
  const seen = flowForGuest(flow);
  expect(JSON.stringify(seen)).not.toContain("secret");
  expect(seen.groups[0]?.blocks).toEqual([
    block("Webhook", { isCustomBody: true, responseVariableMapping: [{ variableId: idOf("v"), bodyPath: "data.id" }] }),
    block("Make.com", {}),
    block("Code", { name: "Sum" }),
    block("Set variable", { variableId: idOf("v") }),
    block("openai", { model: "m", tools: [{ name: "find" }], functions: [{}] }),
  ]);
  expect(seen.variables).toEqual([{ id: idOf("v"), name: "Key" }]);
});

test("client code in files from other authors is marked as unsafe", () => {
  const marked = (type: string, options: unknown) => {
    const flow = markUnsafe(completeFlow({ groups: [{ id: "g", blocks: [block(type, options)] }, { id: "h" }] }));
    return flow.groups[0]?.blocks?.[0];
  };
  expect(marked("Code", undefined)).toEqual(block("Code", { isUnsafe: true }));
  expect(marked("Code", { isExecutedOnClient: false })).toEqual(
    block("Code", { isExecutedOnClient: false, isUnsafe: false }),
  );
  expect(marked("Set variable", { isExecutedOnClient: true })).toEqual(
    block("Set variable", { isExecutedOnClient: true, isUnsafe: true }),
  );
  expect(marked("Set variable", {})).toEqual(block("Set variable", { isUnsafe: false }));
  expect(marked("Redirect", { url: "u" })).toEqual(block("Redirect", { url: "u" }));
});

import { describe, expect, test } from "bun:test";
import { mailsOf } from "../../../src/core/interpreter/program/job.ts";
import { limits } from "../../../src/limits/index.ts";
import { bubble, chatWith, question } from "./logic-flow.ts";

const context = "While sending email";
const to = { credentialsId: "default", recipients: ["team@example.com"] };

type Setting = { readonly variables?: Readonly<Record<string, unknown>>; readonly resultId?: string | null };

function run(options: unknown, { variables = {}, resultId = "r" }: Setting = {}) {
  const groups = { g1: [{ id: "m", type: "Email", options }, bubble("b", "on")] };
  return chatWith({ groups, variables }, { resultId }).start;
}

const mailOf = (options: object, variables: Setting["variables"] = {}) =>
  mailsOf(run({ ...to, ...options }, { variables }).jobs)[0];
const bodyOf = (options: object, variables: Setting["variables"] = {}) => mailOf(options, variables)?.body;

describe("a mail", () => {
  test("a mail is queued with every variable resolved, and the flow continues", () => {
    const options = {
      credentialsId: "account",
      recipients: ["{{Mail}}", " team@example.com ", "{{None}}", ""],
      cc: ["{{Name}} <{{Mail}}>"],
      bcc: ["boss@example.com"],
      replyTo: "{{Mail}}",
      subject: "About {{Name}}",
      body: "Hello {{Name}}",
    };
    const turn = run(options, { variables: { Name: "Ana", Mail: "ana@example.com", None: null } });

    expect(turn.jobs).toEqual([
      {
        queue: "email",
        data: {
          credentialsId: "account",
          to: ["ana@example.com", "team@example.com"],
          cc: ["Ana <ana@example.com>"],
          bcc: ["boss@example.com"],
          areSingle: true,
          replyTo: "ana@example.com",
          subject: "About Ana",
          body: { text: "Hello Ana" },
          resultId: "r",
          botId: "bot",
        },
      },
    ]);
    expect(turn.logs).toEqual([]);
    expect(turn.effects).toEqual([]);
    expect(turn.said).toEqual(["on"]);
  });

  test("commas in the values of variables add no recipients to a mail", () => {
    const variables = { Mail: "ana@example.com, eve@example.com; mal@example.com", Name: "Doe, Ana" };
    const options = {
      ...to,
      recipients: [
        "{{Mail}}",
        "{{Name}} <{{Mail}}>, team@example.com; boss@example.com",
        '"Sales, EU" <eu@example.com>',
      ],
      cc: ["{{=['a', 'b'].join(', ')=}}", "{{=[1, 2].join('')=}}@example.com,"],
      bcc: ["{{Mail}},{{Mail}}"],
    };
    const [job] = run(options, { variables }).jobs;

    expect(job?.data).toMatchObject({
      areSingle: true,
      to: [
        variables.Mail,
        `Doe, Ana <${variables.Mail}>`,
        "team@example.com",
        "boss@example.com",
        '"Sales, EU" <eu@example.com>',
      ],
      cc: ["a, b", "12@example.com"],
      bcc: [variables.Mail, variables.Mail],
    });
  });

  test("a mail is not sent in previews", () => {
    const turn = run(to, { resultId: null });

    expect(turn.jobs).toEqual([]);
    expect(turn.logs).toEqual([{ status: "info", description: "Emails are not sent in preview mode" }]);
    expect(turn.said).toEqual(["on"]);
  });

  test.each([[undefined], [{}], [{ credentialsId: "c", recipients: [] }]])(
    "a mail without a list of recipients is not sent (options: %p)",
    (options) => {
      const turn = run(options);

      expect(turn.jobs).toEqual([]);
      expect(turn.logs).toEqual([]);
      expect(turn.said).toEqual(["on"]);
    },
  );

  test("a mail whose recipients are all empty is not sent", () => {
    const turn = run({ ...to, recipients: ["{{None}}"] }, { variables: { None: null } });

    expect(turn.jobs).toEqual([]);
    expect(turn.logs).toMatchObject([{ description: "Email not sent", isPrivate: true }]);
  });

  test("a mail without credentials is not sent, and the log contains the reason", () => {
    const turn = run({ recipients: ["team@example.com"] });

    const description = "No credentials found, make sure to configure your SMTP provider properly";
    expect(turn.jobs).toEqual([]);
    expect(turn.logs).toEqual([{ description, context }]);
    expect(turn.said).toEqual(["on"]);
  });

  test.each([
    ["Ana A. <ana@example.com>", "Ana A."],
    ['"Ana" <ana@example.com>', "Ana"],
    ["'Ana {{Name}}'<ana@example.com>", "Ana B."],
    ["<ana@example.com>", undefined],
    ["ana@example.com", undefined],
    ["", undefined],
  ])("a mail with the reply address %p has the sender name %p", (replyTo, name) => {
    expect(mailOf({ replyTo }, { Name: "B." })?.senderName).toBe(name);
  });

  test.each([["https://example.com/a.pdf"], [["https://example.com/a.pdf"]]])(
    "a mail with %p attached is not sent, because only visitors' files can be attached",
    (value) => {
      const turn = run({ ...to, attachmentsVariableId: "vFile" }, { variables: { File: value } });

      expect(turn.jobs).toEqual([]);
      expect(turn.logs).toEqual([{ description: "Invalid email attachment URL", context }]);
      expect(turn.said).toEqual(["on"]);
    },
  );

  test.each([["vFile"], ["vUnknown"]])(
    "a mail whose variable %s for attachments is empty or unknown is sent",
    (attachmentsVariableId) => {
      expect(run({ ...to, attachmentsVariableId }, { variables: { File: null } }).jobs).toHaveLength(1);
    },
  );
});

describe("the body of a mail", () => {
  const variables = { Html: "<b>A & B</b>\r\nsecond", List: ["a\nb", null, "c"], Word: "hi", Quote: `"'` };

  test.each([
    [{ body: "Hi {{Html}} <i>" }, { text: "Hi &lt;b&gt;A & B&lt;/b&gt;\r\nsecond <i>" }],
    [{ body: "Hi {{Html}} <i>", isBodyCode: true }, { html: "Hi <b>A & B</b>\r\nsecond <i>" }],
    [{ body: "Hi {{Html}}", isCustomBody: true }, { text: "Hi &lt;b&gt;A & B&lt;/b&gt;\r\nsecond" }],
    [{ body: "{{Html}}" }, { text: "<b>A & B</b><br />second" }],
    [{ body: "{{Html}}", isBodyCode: true }, { html: "<b>A & B</b><br />second" }],
    [
      { body: `<a title="{{Quote}}">{{Html}}</a> <i>`, isBodyCode: true, isEscaped: true },
      { html: `<a title="&quot;&#39;">&lt;b&gt;A &amp; B&lt;/b&gt;<br />second</a> <i>` },
    ],
    [{ body: "{{Html}}", isBodyCode: true, isEscaped: true }, { html: "&lt;b&gt;A &amp; B&lt;/b&gt;<br />second" }],
    [{ body: "Hi {{Html}}", isEscaped: true }, { text: "Hi &lt;b&gt;A & B&lt;/b&gt;\r\nsecond" }],
    [{ body: "{{List}}" }, { text: "a\nb<br /><br />c" }],
    [{ body: "{{Nothing}}" }, { text: "" }],
    [{ body: "", isCustomBody: true }, { text: "" }],
  ])("the body %p is sent as %p", (options, expected) => {
    expect(bodyOf(options, variables)).toEqual(expected);
  });

  test.each([[{}], [{ body: "" }], [{ body: "own", isCustomBody: false }]])(
    "the default body lists all variables with escaped values (options: %p)",
    (options) => {
      expect(bodyOf(options, { "A<b>": "<script>&\nx", List: ["1", "2"] })).toEqual({
        html: [
          "<h1>New answers</h1>\n<table>",
          '<tr><th align="left" valign="top">A&lt;b&gt;</th><td align="left" valign="top">&lt;script&gt;&amp;<br />x</td></tr>',
          '<tr><th align="left" valign="top">List</th><td align="left" valign="top">1, 2</td></tr>',
          "</table>",
        ].join("\n"),
      });
    },
  );
});

describe("many mails", () => {
  const mail = (id: string, subject: string) => ({ id, type: "Email", options: { ...to, subject } });

  test("the sixth mail of a step is not sent (F37)", () => {
    const many = Array.from({ length: limits.mails.perStep + 1 }, (_, index) => mail(`m${index}`, `mail ${index}`));
    const { start } = chatWith({ groups: { g1: [...many, bubble("b", "on")] } }, { resultId: "r" });

    expect(mailsOf(start.jobs).map(({ subject }) => subject)).toEqual([
      "mail 0",
      "mail 1",
      "mail 2",
      "mail 3",
      "mail 4",
    ]);
    expect(start.logs).toEqual([{ description: "Attempt to send more than 5 emails", context }]);
    expect(start.said).toEqual(["on"]);
  });

  test("the limit of mails applies to each step separately", () => {
    const many = (from: number) =>
      Array.from({ length: limits.mails.perStep }, (_, index) => mail(`m${from + index}`, `${from + index}`));
    const chat = chatWith({ groups: { g1: [...many(0), question("q"), ...many(10)] } }, { resultId: "r" });

    expect(chat.start.jobs).toHaveLength(limits.mails.perStep);
    const next = chat.say("on");
    expect(next.jobs).toHaveLength(limits.mails.perStep);
    expect(next.logs).toEqual([]);
  });

  test("a mail that equals the previous mail is logged instead of sent (F37)", () => {
    const groups = { g1: [mail("a", "x"), mail("b", "x"), mail("c", "y"), mail("d", "x"), bubble("e", "on")] };
    const { start } = chatWith({ groups }, { resultId: "r" });

    expect(mailsOf(start.jobs).map(({ subject }) => subject)).toEqual(["x", "y", "x"]);
    expect(start.logs).toEqual([{ description: "Attempt to send the same email twice", context }]);
    expect(start.said).toEqual(["on"]);
  });

  test("a repeated mail is not sent even if an effect runs in between", () => {
    const call = { id: "h", type: "Webhook", options: { webhook: { url: "https://api.example.com/" } } };
    const { start } = chatWith({ groups: { g1: [mail("a", "x"), call, mail("b", "x")] } }, { resultId: "r" });

    expect(start.effects).toHaveLength(1);
    expect(start.jobs).toHaveLength(1);
    expect(start.logs.at(-1)).toEqual({ description: "Attempt to send the same email twice", context });
  });
});

import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import type { CredentialsKind } from "./kind.ts";
import { text } from "./members.ts";

export const smtp: CredentialsKind = {
  type: "smtp",
  name: "Mail server",
  summary: "A mail server for `Email` blocks.",
  page: "credentials.md",
  schema: Type.Object({
    host: Type.String({
      title: "Host",
      description: "Name of the mail server.",
      examples: ["smtp.example.com"],
      minLength: 1,
      maxLength: limits.fields.hostCharacters,
      pattern: "^[A-Za-z0-9.:_-]+$",
      expected: "the name of a host such as mail.example.com",
    }),
    port: Type.Integer({
      title: "Port",
      description: "Port of the mail server: usually 587, or 465 with TLS from the start.",
      help: "Usually 587, or 465 with TLS from the start.",
      minimum: 1,
      maximum: 65_535,
    }),
    isTlsEnabled: Type.Optional(
      Type.Boolean({
        title: "TLS from the start",
        description:
          "Whether the connection starts with TLS (465). Otherwise it upgrades to TLS if the server supports it (587).",
        help: "Turn it on for port 465.",
        default: false,
      }),
    ),
    username: Type.Optional(
      Type.String({
        title: "User name",
        description: "The user name at the mail server.",
        maxLength: limits.fields.emailCharacters,
      }),
    ),
    password: Type.Optional(text({ title: "Password", description: "The password at the mail server." })),
    from: Type.Object(
      {
        name: Type.Optional(
          Type.String({
            title: "Name of the sender",
            description: "The sender's name, as recipients see it.",
            maxLength: limits.fields.nameCharacters,
          }),
        ),
        email: Type.String({
          title: "E-mail address of the sender",
          description: "The address from which e-mails are sent.",
          maxLength: limits.fields.emailCharacters,
          pattern: "^[^\\s@<>]+@[^\\s@<>]+$",
          expected: "an e-mail address",
        }),
      },
      { title: "Sender", description: "The sender of mails." },
    ),
  }),
  trial: { kind: "mail" },
  secretMembers: ["password"],
  destination: ({ host, port, isTlsEnabled }) => `${host}:${port} ${isTlsEnabled === true}`,
};

import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import type { CredentialsKind } from "./kind.ts";

export const smtp: CredentialsKind = {
  type: "smtp",
  summary: "A mail server for `Email` blocks.",
  schema: Type.Object({
    host: Type.String({
      minLength: 1,
      maxLength: limits.fields.hostCharacters,
      pattern: "^[A-Za-z0-9.:_-]+$",
      expected: "the name of a host such as mail.example.com",
    }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    isTlsEnabled: Type.Optional(
      Type.Boolean({
        description:
          "Whether the connection starts with TLS (465). Otherwise it upgrades to TLS if the server supports it (587).",
      }),
    ),
    username: Type.Optional(Type.String({ maxLength: limits.fields.emailCharacters })),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: limits.credentials.memberCharacters })),
    from: Type.Object({
      name: Type.Optional(Type.String({ maxLength: limits.fields.nameCharacters })),
      email: Type.String({
        maxLength: limits.fields.emailCharacters,
        pattern: "^[^\\s@<>]+@[^\\s@<>]+$",
        expected: "an e-mail address",
      }),
    }),
  }),
  secretMembers: ["password"],
  destination: ({ host, port, isTlsEnabled }) => `${host}:${port} ${isTlsEnabled === true}`,
};

import { type Static, Type } from "@sinclair/typebox";
import { exampleId, exampleTime, Id, nullable, oneOf, resource, Timestamp } from "../../../platform/http/schemas.ts";
import { roles } from "../../access/access.ts";

export const MemberSchema = resource(
  "Member",
  {
    workspaceId: Id,
    userId: Id,
    role: oneOf(roles),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    user: Type.Object({ name: Type.String(), email: nullable(Type.String()) }, { description: "Who it is." }),
  },
  "Somebody who belongs to a workspace.",
);

export const memberExample: Static<typeof MemberSchema> = {
  workspaceId: exampleId,
  userId: exampleId,
  role: "MEMBER",
  createdAt: exampleTime,
  updatedAt: exampleTime,
  user: { name: "Ada Lovelace", email: "ada@example.com" },
};

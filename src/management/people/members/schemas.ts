import { Type } from "@sinclair/typebox";
import { Id, nullable, oneOf, resource, Timestamp } from "../../../platform/http/schemas.ts";
import { roles } from "../../access/access.ts";

export const MemberSchema = resource(
  "Member",
  {
    workspaceId: Id,
    userId: Id,
    role: oneOf(roles),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    user: Type.Object({ name: Type.String(), email: nullable(Type.String()) }, { description: "The user." }),
  },
  "A person who belongs to a workspace.",
  { role: "MEMBER", user: { name: "Ada Lovelace", email: "ada@example.com" } },
);

import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { typebotSpelling } from "../../src/compatibility/spelling.ts";

const named = Type.Object({ botId: Type.Optional(Type.String()), name: Type.String() });
const counted = Type.Object({ botId: Type.String(), revision: Type.Integer() });

test("existing clients use only their own field names", () => {
  const read = (value: object) => typebotSpelling.read(named, value);
  expect(read({ typebotId: "theirs", name: "Bot" })).toEqual({ botId: "theirs", name: "Bot" });
  expect(read({ botId: "ours", name: "Bot" })).toEqual({ name: "Bot" });
  expect(read({ botId: "ours", typebotId: "theirs", name: "Bot" })).toEqual({ botId: "theirs", name: "Bot" });
});

test("a Parley key that the schema defines is omitted for existing clients", () => {
  const value = { botId: "id", revision: 3 };
  expect(typebotSpelling.write(counted, value)).toEqual({ typebotId: "id" });
  expect(typebotSpelling.write(Type.Object({ botId: Type.String() }), value)).toEqual({ typebotId: "id", revision: 3 });
});

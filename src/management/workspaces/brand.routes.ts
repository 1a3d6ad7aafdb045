import { Type } from "@sinclair/typebox";
import { type Brand, BrandSchema } from "../../core/interpreter/schemas/brand.ts";
import { exampleTime, nullable, Timestamp } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { getBrand, setBrand } from "./brand.ts";

const operation = operationFor("Workspaces");
const path = "/api/v1/workspaces/:workspaceId/brand";

const example: Brand = {
  name: "Example Bakery",
  logo: { light: "https://example.com/logo.svg", dark: "https://example.com/logo-white.svg" },
  colors: [
    { name: "Crust", value: "#8a4b08" },
    { name: "Cream", value: "#fff4e0" },
  ],
  main: "Crust",
  font: { type: "Google", family: "Lora" },
  roundness: 12,
  tone: "Warm and short. Say “you”.",
};
const brand = nullable(BrandSchema);
const answer = Type.Object({ brand, updatedAt: Timestamp });
const answerExample = { brand: example, updatedAt: exampleTime };

export const brandOperations: readonly Operation[] = [
  operation({
    id: "getBrand",
    route: `GET ${path}`,
    answer,
    answerExample,
    version: ({ updatedAt }) => updatedAt,
    handle: async (deps, { caller, params }) => getBrand(deps, caller, params.workspaceId),
  }),
  operation({
    id: "setBrand",
    route: `PUT ${path}`,
    body: Type.Object({ brand }),
    bodyExample: { brand: example },
    answer,
    answerExample,
    version: ({ updatedAt }) => updatedAt,
    errors: ["workspace.takes_nothing", "precondition.failed"],
    handle: async (deps, { caller, params, body, seen }) =>
      setBrand(deps, caller, params.workspaceId, { brand: body.brand, seen }),
  }),
];

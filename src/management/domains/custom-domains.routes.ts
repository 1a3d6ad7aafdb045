import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { described, Id, nullable, oneOf, pageOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import { needsNoToken } from "../operations/authentication.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { domainStates } from "./custom-domain-states.ts";
import {
  createCustomDomain,
  deleteCustomDomain,
  getCustomDomain,
  listCustomDomains,
  requireAllowedDomain,
  verifyCustomDomain,
} from "./custom-domains.ts";
import type { DomainDependencies } from "./dependencies.ts";

const operation = operationFor<DomainDependencies>("Custom domains");

const { pendingDays, graceDays } = limits.customDomains;

const CustomDomainSchema = resource(
  "CustomDomain",
  {
    id: Id,
    workspaceId: Id,
    name: Type.String({ description: "The domain." }),
    state: oneOf(domainStates, { description: "State of the proof. Only `verified` domains are served." }),
    proof: Type.Object(
      {
        record: Type.Object(
          {
            type: Type.Literal("TXT", { description: "The type of the record." }),
            name: Type.String({ description: "The name of the record." }),
            value: Type.String({ description: "The value of the record." }),
          },
          { description: "The DNS record that proves the domain." },
        ),
        file: Type.Object(
          {
            url: Type.String({ description: "URL at which Parley requests the file." }),
            content: Type.String({ description: "The content of the file." }),
          },
          { description: "The file that proves the domain." },
        ),
      },
      { description: "The two ways to prove the domain: a DNS record, or a file on its web server." },
    ),
    provedBy: nullable(
      oneOf(["dns", "file"], { description: "The proof that was found; null if no proof was found." }),
    ),
    problem: nullable(Type.String({ description: "The problem that the last check found." })),
    advice: nullable(Type.String({ description: "The next step for you; null if you do not need to do anything." })),
    servedUntil: nullable(
      Type.Union([Timestamp], {
        description: "Time until which a verified domain is served without its proof; null if the proof is present.",
      }),
    ),
    verifiedAt: described(nullable(Timestamp), "Time at which the proof was first found; null if it was never found."),
    checkedAt: described(nullable(Timestamp), "Time of the last check; null before the first one."),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  "A domain that a workspace has claimed.",
  {
    name: "chat.example.com",
    state: "verified",
    proof: {
      record: {
        type: "TXT",
        name: "_parley.chat.example.com",
        value: "parley-domain=9f2c1b7a60d84e53b1c09ad7e4f86235",
      },
      file: {
        url: "http://chat.example.com/.well-known/parley-domain",
        content: "parley-domain=9f2c1b7a60d84e53b1c09ad7e4f86235",
      },
    },
    provedBy: "dns",
    problem: null,
    advice: null,
    servedUntil: null,
  },
);

const answer = Type.Object({ customDomain: CustomDomainSchema });
const base = "/api/v1/workspaces/:workspaceId/custom-domains";

const howItIsProved = [
  "Bots are served at a domain after the workspace has proved its ownership by a TXT record or a file (`proof`). Several workspaces can",
  `claim a domain; the workspace that proves its ownership gets the domain. \`pending\`: Parley checks for the proof every few minutes on the first day and then hourly, for ${pendingDays} days.`,
  "`verified`: the proof was found, and is checked once a day. If the proof disappears, the domain is served for",
  `${graceDays} more days, unless another workspace proves it. \`failed\`: no proof was found in time. \`problem\` describes the cause, and \`advice\` the next step.`,
].join(" ");

export const customDomainOperations: readonly Operation[] = [
  operation({
    id: "listCustomDomains",
    route: `GET ${base}`,
    ...pageOf({ customDomains: Type.Array(CustomDomainSchema) }),
    handle: async (deps, { caller, params: path, query }) => listCustomDomains(deps, caller, path.workspaceId, query),
  }),
  operation({
    id: "claimCustomDomain",
    route: `POST ${base}`,
    description: `${howItIsProved} Setting a bot's \`customDomain\` also claims its domain. Claiming a domain that the workspace has already claimed changes nothing.`,
    body: Type.Object({ name: Type.String({ maxLength: limits.fields.hostCharacters, description: "The domain." }) }),
    answer,
    errors: ["workspace.takes_nothing", "custom_domain.too_many"],
    handle: async (deps, { caller, params: path, body }) => ({
      customDomain: await createCustomDomain(deps, caller, path.workspaceId, body.name),
    }),
  }),
  operation({
    id: "getCustomDomain",
    route: `GET ${base}/:customDomainId`,
    answer,
    handle: async (deps, { caller, params: path }) => ({ customDomain: await getCustomDomain(deps, caller, path) }),
  }),
  operation({
    id: "verifyCustomDomain",
    route: `POST ${base}/:customDomainId/verify`,
    answer,
    handle: async (deps, { caller, params: path }) => ({ customDomain: await verifyCustomDomain(deps, caller, path) }),
  }),
  operation({
    id: "deleteCustomDomain",
    route: `DELETE ${base}/:customDomainId`,
    answer,
    handle: async (deps, { caller, params: path }) => ({ customDomain: await deleteCustomDomain(deps, caller, path) }),
  }),
  operation({
    id: "checkDomain",
    route: "GET /api/v1/domains/allowed",
    auth: needsNoToken,
    host: "both",
    act: "management",
    query: Type.Object({ domain: Type.String({ description: "The domain to check." }) }),
    answer: Type.Object({ domain: Type.String({ description: "The served domain." }) }),
    errors: ["custom_domain.not_found"],
    handle: async (deps, { query }) => requireAllowedDomain(deps, query.domain),
  }),
];

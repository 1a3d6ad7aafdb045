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
    state: oneOf(domainStates, { description: "How far its proof has come; `verified` ones are served." }),
    proof: Type.Object(
      {
        record: Type.Object(
          {
            type: Type.Literal("TXT", { description: "The type of the record." }),
            name: Type.String({ description: "The name of the record." }),
            value: Type.String({ description: "What it says." }),
          },
          { description: "A record in DNS that proves it." },
        ),
        file: Type.Object(
          {
            url: Type.String({ description: "Where the file is asked for." }),
            content: Type.String({ description: "What it says." }),
          },
          { description: "A file that proves it." },
        ),
      },
      { description: "Either of them proves the domain: a record in DNS, or a file that its web server answers with." },
    ),
    provedBy: nullable(oneOf(["dns", "file"], { description: "Which of both was found; null while none was." })),
    problem: nullable(Type.String({ description: "What the last check found in place of the proof." })),
    advice: nullable(Type.String({ description: "What to do; null where nothing is to be done." })),
    servedUntil: nullable(
      Type.Union([Timestamp], {
        description: "Until when a verified domain is served although its proof is gone; null while it is there.",
      }),
    ),
    verifiedAt: described(nullable(Timestamp), "When its proof was first found; null while it never was."),
    checkedAt: described(nullable(Timestamp), "When its proof was last looked for; null before the first time."),
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
  "Bots are served at a domain once the workspace has proved that it is its own, by a TXT record or a file (`proof`). Several workspaces may",
  `claim a domain: who proves it has it. \`pending\`: the proof is looked for every few minutes, and for ${pendingDays} days.`,
  "`verified`: it was there, and is looked for once a day. Where it is gone the domain is served for",
  `${graceDays} days more, unless another workspace proves it. \`failed\`: it was not there in time. \`problem\` and \`advice\` say why, and what to do.`,
].join(" ");

export const customDomainOperations: readonly Operation[] = [
  operation({
    id: "listCustomDomains",
    route: `GET ${base}`,
    summary: "List the domains that a workspace has claimed",
    ...pageOf({ customDomains: Type.Array(CustomDomainSchema) }),
    handle: async (deps, { caller, params: path, query }) => listCustomDomains(deps, caller, path.workspaceId, query),
  }),
  operation({
    id: "claimCustomDomain",
    route: `POST ${base}`,
    summary: "Claim a domain",
    description: `${howItIsProved} Setting a bot's \`customDomain\` claims its domain as well. One that the workspace has claimed already stays as it is.`,
    body: Type.Object({ name: Type.String({ maxLength: limits.fields.hostCharacters, description: "The domain." }) }),
    bodyExample: { name: "chat.example.com" },
    answer,
    errors: ["custom_domain.too_many"],
    handle: async (deps, { caller, params: path, body }) => ({
      customDomain: await createCustomDomain(deps, caller, path.workspaceId, body.name),
    }),
  }),
  operation({
    id: "getCustomDomain",
    route: `GET ${base}/:customDomainId`,
    summary: "Get a claimed domain",
    answer,
    handle: async (deps, { caller, params: path }) => ({ customDomain: await getCustomDomain(deps, caller, path) }),
  }),
  operation({
    id: "verifyCustomDomain",
    route: `POST ${base}/:customDomainId/verify`,
    summary: "Verify a domain now",
    description: "The answer comes when it was looked for. A claim that has failed is looked after by itself again.",
    answer,
    handle: async (deps, { caller, params: path }) => ({ customDomain: await verifyCustomDomain(deps, caller, path) }),
  }),
  operation({
    id: "deleteCustomDomain",
    route: `DELETE ${base}/:customDomainId`,
    summary: "Release a domain",
    description: "Bots of the workspace that are at it lose their `customDomain`; they stay at their public ids.",
    answer,
    handle: async (deps, { caller, params: path }) => ({ customDomain: await deleteCustomDomain(deps, caller, path) }),
  }),
  operation({
    id: "checkDomain",
    route: "GET /api/v1/domains/allowed",
    summary: "Whether a domain is served here",
    description:
      "For proxies that get a certificate when a domain is first asked for (`on_demand_tls` of Caddy): 200 for verified domains, otherwise 404.",
    auth: needsNoToken,
    host: "both",
    act: "management",
    query: Type.Object({ domain: Type.String({ description: "The domain that is asked about." }) }),
    answer: Type.Object({ domain: Type.String({ description: "The domain, which is served." }) }),
    answerExample: { domain: "chat.example.com" },
    errors: ["custom_domain.not_found"],
    handle: async (deps, { query }) => requireAllowedDomain(deps, query.domain),
  }),
];

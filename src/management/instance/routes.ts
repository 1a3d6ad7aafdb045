import { Type } from "@sinclair/typebox";
import { isDirect, mainOrigin } from "../../platform/http/main-origin.ts";
import { nullable, oneOf, resource } from "../../platform/http/schemas.ts";
import { needsNoToken } from "../operations/authentication.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { viewInstance, waysToSignIn } from "./instance-view.ts";

const count = (description: string) => Type.Integer({ description });

const InstanceSchema = resource(
  "Instance",
  {
    version: Type.String({ description: "Of the service." }),
    addresses: Type.Object(
      {
        api: Type.String({ description: "Where these operations are." }),
        app: nullable(
          Type.String({
            description:
              "Where the builder is; null where none is served, and where a proxy hides it (PUBLIC_URL and CHAT_URL name it then).",
          }),
        ),
        chat: Type.String({ description: "Where chat pages are: a bot's is below it, at its public id." }),
      },
      { description: "Where things are." },
    ),
    signIn: Type.Object(
      {
        methods: Type.Array(oneOf(waysToSignIn), { description: "By what one can, the likeliest first." }),
        isFresh: Type.Boolean({ description: "Whether nobody ever has." }),
        signUp: oneOf(["invitation", "open"], { description: "Who may become a user: `SIGN_UP`." }),
      },
      { description: "How people sign in." },
    ),
    has: Type.Object(
      {
        mail: Type.Boolean({ description: "Whether it sends mails." }),
        storage: Type.Boolean({ description: "Whether it keeps files." }),
        encryption: Type.Boolean({ description: "Whether it keeps secrets, such as credentials." }),
      },
      { description: "What its operator has set up." },
    ),
    bounds: Type.Object(
      {
        uploadMegabytes: count("Of a file."),
        importMegabytes: count("Of a body, such as a flow that is brought in."),
        preferencesBytes: count("Of what pages keep for a user."),
        editorBytes: count("Of what editors keep beside a flow."),
        changesPerSet: count("Of one change set of a draft."),
        setBytes: count("Of one change set of a draft."),
        setsPerRequest: count("Change sets that are sent together."),
      },
      { description: "How large things may be." },
    ),
  },
  "What this instance is.",
  {
    version: "1.0.0",
    addresses: {
      api: "https://bots.example.com/api/v1",
      app: "https://bots.example.com/app",
      chat: "https://chat.example.com",
    },
    signIn: { methods: ["email", "link", "token"], isFresh: false, signUp: "invitation" },
    has: { mail: true, storage: true, encryption: true },
    bounds: {
      uploadMegabytes: 10,
      importMegabytes: 10,
      preferencesBytes: 16_384,
      editorBytes: 1_048_576,
      changesPerSet: 1_000,
      setBytes: 1_048_576,
      setsPerRequest: 50,
    },
  },
);

const operation = operationFor("Health");

export const instanceOperations: readonly Operation[] = [
  operation({
    id: "getInstance",
    route: "GET /api/v1/instance",
    summary: "Get this instance",
    description: "Where it is, how people sign in, and what pages need to know before somebody has.",
    act: "management",
    auth: needsNoToken,
    answer: Type.Object({ instance: InstanceSchema }),
    handle: async (deps, { request }) => ({
      instance: await viewInstance(deps, {
        requestOrigin: mainOrigin(deps, request),
        isDirect: isDirect(deps, request),
      }),
    }),
  }),
];

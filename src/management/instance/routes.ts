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
    version: Type.String({ description: "Version of the service." }),
    addresses: Type.Object(
      {
        api: Type.String({ description: "URL of the API." }),
        app: nullable(
          Type.String({
            description:
              "URL of the builder; null if no builder is served, or if its address is unknown behind a proxy. Set PUBLIC_URL and CHAT_URL in that case.",
          }),
        ),
        chat: Type.String({ description: "URL of the chat pages. Append a bot's public id." }),
      },
      { description: "URLs of the instance." },
    ),
    signIn: Type.Object(
      {
        methods: Type.Array(oneOf(waysToSignIn), {
          description: "The available sign-in methods, in order of preference.",
        }),
        isFresh: Type.Boolean({ description: "Whether nobody has signed in yet." }),
        signUp: oneOf(["invitation", "open"], {
          description: "The value of the setting `SIGN_UP`, which decides who can become a user.",
        }),
      },
      { description: "Settings for signing in." },
    ),
    has: Type.Object(
      {
        mail: Type.Boolean({ description: "Whether the instance sends e-mail." }),
        storage: Type.Boolean({ description: "Whether the instance stores files." }),
        encryption: Type.Boolean({ description: "Whether the instance stores secrets, such as credentials." }),
      },
      { description: "Features that the operator has set up." },
    ),
    bounds: Type.Object(
      {
        uploadMegabytes: count("Maximum size of a file, in megabytes."),
        importMegabytes: count("Maximum size of a request body, such as an imported flow, in megabytes."),
        preferencesBytes: count("Maximum size of a user's preferences, in bytes."),
        editorBytes: count("Maximum size of a flow's editor data, in bytes."),
        changesPerSet: count("Maximum number of changes in one change set of a draft."),
        setBytes: count("Maximum size of one change set of a draft, in bytes."),
        setsPerRequest: count("Maximum number of change sets in one request."),
      },
      { description: "Size limits." },
    ),
  },
  "Information about the instance.",
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

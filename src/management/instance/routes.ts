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
              "URL of the builder; null if none is served, or if a proxy hides it (PUBLIC_URL and CHAT_URL then name it).",
          }),
        ),
        chat: Type.String({ description: "URL of the chat pages. Append a bot's public id." }),
      },
      { description: "URLs of the instance." },
    ),
    signIn: Type.Object(
      {
        methods: Type.Array(oneOf(waysToSignIn), { description: "The available methods, the preferred one first." }),
        isFresh: Type.Boolean({ description: "Whether nobody has signed in yet." }),
        signUp: oneOf(["invitation", "open"], {
          description: "The setting `SIGN_UP`: the people who may become users.",
        }),
      },
      { description: "Settings for signing in." },
    ),
    has: Type.Object(
      {
        mail: Type.Boolean({ description: "Whether the instance sends mails." }),
        storage: Type.Boolean({ description: "Whether the instance stores files." }),
        encryption: Type.Boolean({ description: "Whether the instance stores secrets, such as credentials." }),
      },
      { description: "Features that the operator has set up." },
    ),
    bounds: Type.Object(
      {
        uploadMegabytes: count("Megabytes of a file."),
        importMegabytes: count("Megabytes of a body, such as an imported flow."),
        preferencesBytes: count("Bytes of a user's preferences."),
        editorBytes: count("Bytes of a flow's editor data."),
        changesPerSet: count("Of one change set of a draft."),
        setBytes: count("Of one change set of a draft."),
        setsPerRequest: count("Change sets in one request."),
      },
      { description: "Size limits." },
    ),
  },
  "The instance.",
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

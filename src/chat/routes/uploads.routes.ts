import { Type } from "@sinclair/typebox";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { fileResponse } from "../../management/files/file-response.ts";
import {
  listResultFiles,
  openAnyFile,
  openPublicFile,
  openResultFile,
  tryStorage,
} from "../../management/files/files.ts";
import { readOpenAddress } from "../../management/files/open-addresses.ts";
import { receiveUpload } from "../../management/files/upload-content.ts";
import { needsNoToken, needsToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import type { Page } from "../../management/operations/page.ts";
import { lengthOf } from "../../platform/http/body.ts";
import { mainOrigin } from "../../platform/http/main-origin.ts";
import { pacedChunks } from "../../platform/http/paced-body.ts";
import { exampleId, exampleTime, Id, idPath, resource, Timestamp } from "../../platform/http/schemas.ts";
import { isId } from "../../platform/ids.ts";
import type { Admission } from "../../platform/rate-limits/rate-limits.ts";
import { askForUpload, type UploadRequest } from "../files/uploads.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>("Chat");

const FileSchema = resource(
  "ResultFile",
  {
    id: Id,
    createdAt: Timestamp,
    blockId: Type.String({ description: "Id of the input for which the file was uploaded." }),
    name: Type.String({ description: "Name that the visitor gave the file." }),
    type: Type.String({ description: "MIME type, as reported by the visitor's client." }),
    bytes: Type.Integer({ description: "Size of the file." }),
    isPublic: Type.Boolean({ description: "Whether anyone with the URL can open the file." }),
    url: Type.String({ description: "URL of the file. Private files require a token." }),
  },
  "A file that a visitor uploaded.",
);

const ResultPath = Type.Object({ botId: idPath("bot.not_found"), resultId: idPath("result.not_found") });

const WishBody = {
  sessionId: Type.String(),
  fileName: Type.String({ description: "Name that the visitor gave the file." }),
  fileType: Type.Optional(Type.String({ description: "MIME type." })),
};

const WishAnswer = {
  presignedUrl: Type.String({
    description:
      "URL to which you send the content with a PUT request, or a form with a POST request, within ten minutes.",
  }),
  fileUrl: Type.String({ description: "URL of the file, which you send in the reply." }),
  formData: Type.Object({}, { description: "Always empty: the form has no parts other than the file." }),
};

const wishExample = {
  presignedUrl: `https://chat.example.com/api/uploads/${exampleId}.gT5x…`,
  fileUrl: `https://chat.example.com/api/files/${exampleId}.pdf`,
  formData: {},
};

const wishErrors = [
  "session.not_found",
  "session.ended",
  "session.expired",
  "session.busy",
  "origin.not_allowed",
  "workspace.suspended",
  "workspace.storage_full",
  "upload.not_expected",
  "upload.not_in_preview",
  "upload.type_not_allowed",
  "upload.size_not_allowed",
  "upload.too_many",
  "server.newer_state",
] as const;

type Input = {
  readonly headers: Headers;
  readonly request: Request;
  readonly admission: Admission;
};

type Asked = {
  readonly body: Pick<UploadRequest, "sessionId" | "fileName"> & Partial<Pick<UploadRequest, "fileType" | "fileSize">>;
} & Pick<Input, "headers" | "request" | "admission">;

async function answerWish(deps: ChatDependencies, { body, headers, request, admission }: Asked) {
  const { sessionId, fileName, fileType, fileSize } = body;
  if (isId(sessionId)) await admission.admit("uploads", { session: sessionId });
  return askForUpload(deps, {
    ...{ sessionId, fileName, fileType, fileSize },
    origins: originsOf(headers),
    requestOrigin: mainOrigin(deps, request),
  });
}

const uploadErrors = [
  "upload.address_invalid",
  "upload.address_expired",
  "upload.type_not_allowed",
  "upload.empty",
  "upload.interrupted",
  "upload.conflict",
  "workspace.storage_full",
  "session.busy",
  "request.too_large",
  "request.too_slow",
  "storage.unavailable",
  "server.overloaded",
] as const;

const UploadPath = Type.Object({
  token: Type.String({ description: "The last part of the `presignedUrl` from `requestUpload`." }),
});

const StoredBytes = Type.Object({ bytes: Type.Integer({ description: "Number of stored bytes." }) });

function receive(
  deps: ChatDependencies,
  { params, headers, request, admission }: Input & { readonly params: { readonly token: string } },
  { isForm }: { isForm: boolean },
) {
  return receiveUpload(deps, {
    token: params.token,
    contentType: headers.get("content-type"),
    contentLength: lengthOf(headers),
    address: admission.address,
    body: request.body && pacedChunks(request.body, { withinMs: limits.uploads.uploadMs, clock: deps.clock }),
    isForm,
  });
}

const earlierAddresses = [
  {
    id: "requestFormUpload",
    route: "POST /api/v2/generate-upload-url",
    summary: "Request an upload URL for clients before version 0.10",
  },
  {
    id: "requestFirstFormUpload",
    route: "POST /api/v1/generate-upload-url",
    summary: "Request an upload URL for the first clients",
  },
] as const;

/**
 * Clients before 0.10 use older paths. Their requests contain no block and no size, and the response has three of the
 * current fields.
 */
const earlierWishes = earlierAddresses.map(({ id, route, summary }) =>
  operation({
    ...{ id, route, summary },
    description:
      "Like `requestUpload`, for existing clients. The open input's size limit is checked while the content arrives. These clients send the file by POST, as the part `file` of a form.",
    host: "chat",
    act: "uploads",
    auth: needsNoToken,
    body: Type.Object(WishBody),
    bodyBytes: limits.request.uploadWishBytes,
    bodyExample: { sessionId: exampleId, fileName: "letter.pdf", fileType: "application/pdf" },
    answer: Type.Object(WishAnswer),
    answerExample: wishExample,
    errors: wishErrors,
    async handle(deps, input) {
      const { presignedUrl, formData, fileUrl } = await answerWish(deps, input);
      return { presignedUrl, formData, fileUrl };
    },
  }),
);

/** Operations for visitors' files. */
export const uploadOperations: Operation[] = [
  operation({
    id: "requestUpload",
    route: "POST /api/v3/generate-upload-url",
    host: "chat",
    act: "uploads",
    auth: needsNoToken,
    body: Type.Object({
      ...WishBody,
      blockId: Type.String({ description: "Ignored, because the session's current block decides." }),
      fileSize: Type.Optional(Type.Integer({ minimum: 0, description: "Size of the file in bytes." })),
    }),
    bodyBytes: limits.request.uploadWishBytes,
    bodyExample: {
      sessionId: exampleId,
      blockId: "bl1",
      fileName: "letter.pdf",
      fileType: "application/pdf",
      fileSize: 48_213,
    },
    answer: Type.Object({
      ...WishAnswer,
      fileType: Type.Optional(Type.String({ description: "MIME type for the PUT request." })),
      maxFileSize: Type.Number({ description: "Maximum size in megabytes." }),
    }),
    answerExample: { ...wishExample, fileType: "application/pdf", maxFileSize: 10 },
    errors: wishErrors,
    handle: answerWish,
  }),
  ...earlierWishes,
  operation({
    id: "uploadFile",
    route: "PUT /api/uploads/:token",
    host: "chat",
    act: "uploads",
    auth: needsNoToken,
    params: UploadPath,
    bodyType: "*/*",
    answer: StoredBytes,
    errors: uploadErrors,
    handle: async (deps, input) => receive(deps, input, { isForm: false }),
  }),
  operation({
    id: "uploadForm",
    route: "POST /api/uploads/:token",
    host: "chat",
    act: "uploads",
    auth: needsNoToken,
    params: UploadPath,
    bodyType: "multipart/form-data",
    answer: StoredBytes,
    errors: [...uploadErrors, "request.malformed"],
    handle: async (deps, input) => receive(deps, input, { isForm: true }),
  }),
  operation({
    id: "listResultFiles",
    route: "GET /api/v1/bots/:botId/results/:resultId/files",
    tag: "Results",
    description: `Returns the visitor's uploads, newest first, at most ${limits.uploads.listed.toLocaleString("en")}.`,
    answer: Type.Object({ files: Type.Array(FileSchema) }),
    answerExample: {
      files: [
        {
          id: exampleId,
          createdAt: exampleTime,
          blockId: "bl1",
          name: "letter.pdf",
          type: "application/pdf",
          bytes: 48_213,
          isPublic: true,
          url: `https://chat.example.com/api/files/${exampleId}.pdf`,
        },
      ],
    },
    handle: async (deps, { caller, params, request }) => ({
      files: await listResultFiles(deps, caller, { ...params, requestOrigin: mainOrigin(deps, request) }),
    }),
  }),
  operation({
    id: "downloadResultFile",
    route: "GET /api/v1/bots/:botId/results/:resultId/files/:fileName",
    tag: "Results",
    params: Type.Object({
      ...ResultPath.properties,
      fileName: Type.String({ description: "The last part of the file's URL.", examples: [`${exampleId}.pdf`] }),
    }),
    answer: Type.Unknown({ description: "The file." }),
    answerType: "application/octet-stream",
    errors: ["file.not_found", "file.range_invalid", "storage.unavailable"],
    handle: async (deps, { caller, params, request }) =>
      fileResponse(await openResultFile(deps, caller, params), request, { isPublic: false }),
  }),
  operation({
    id: "checkStorage",
    route: "POST /api/v1/storage/check",
    isAudited: false,
    tag: "Health",
    auth: needsToken("admin"),
    answer: Type.Object({ status: Type.Literal("ok", { description: "The storage works." }) }),
    errors: ["storage.unavailable"],
    async handle(deps) {
      await tryStorage(deps);
      return { status: "ok" } as const;
    },
  }),
];

/**
 * Serves files. Public files are available to everyone who has their URL. Private files require a URL that is valid for
 * a limited time.
 */
export const filePage: Page<ChatDependencies> = {
  path: "/api/files/:fileName",
  host: "chat",
  isReadAnywhere: true,
  async respond(deps, request, { params: { fileName } }) {
    const name = String(fileName);
    const given = { query: new URL(request.url).searchParams, now: Date.now() };
    const state = await readOpenAddress(deps.sql, name, given);
    if (state === undefined) return fileResponse(await openPublicFile(deps, name), request, { isPublic: true });
    if (state === "over") return new Response(null, { status: 410, headers: { "Cache-Control": "no-store" } });
    if (state === "unknown") throw new AppError("file.not_found");
    return fileResponse(await openAnyFile(deps, name), request, { isPublic: false });
  },
};

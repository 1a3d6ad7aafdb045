import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { lengthOf } from "../../platform/http/body.ts";
import { mainOrigin } from "../../platform/http/main-origin.ts";
import { pacedChunks } from "../../platform/http/paced-body.ts";
import { exampleId, Id, NameInput, pageOf, resource, Timestamp } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import type { Page } from "../operations/page.ts";
import type { FileDependencies } from "./dependencies.ts";
import { allowedContent } from "./file-content.ts";
import { fileResponse } from "./file-response.ts";
import { deleteWorkspaceFile, listWorkspaceFiles, openWorkspaceFile, uploadWorkspaceFile } from "./workspace-files.ts";

const operation = operationFor<FileDependencies>("Files of authors");

const WorkspaceFileSchema = resource(
  "WorkspaceFile",
  {
    id: Id,
    workspaceId: Id,
    name: Type.String(),
    type: Type.String({ description: "MIME type, detected from the content." }),
    bytes: Type.Integer({ description: "Size of the file." }),
    hash: Type.String({ description: "SHA-256 of its content." }),
    url: Type.String({ description: "Public URL of the file. Pages of all origins can load it." }),
    createdAt: Timestamp,
  },
  "An image, audio file, video or font for the bots of a workspace.",
  {
    name: "logo.png",
    type: "image/png",
    bytes: 4_821,
    hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    url: `https://chat.example.com/api/workspace-files/${exampleId}.png`,
  },
);

const success = "success" as const;

export const workspaceFileOperations: readonly Operation[] = [
  operation({
    id: "listWorkspaceFiles",
    route: "GET /api/v1/workspaces/:workspaceId/files",
    ...pageOf({ files: Type.Array(WorkspaceFileSchema, { description: "The files, newest first." }) }),
    handle: async (deps, { caller, params: place, query, request }) =>
      listWorkspaceFiles(deps, caller, { ...place, ...query, requestOrigin: mainOrigin(deps, request) }),
  }),
  operation({
    id: "uploadWorkspaceFile",
    route: "POST /api/v1/workspaces/:workspaceId/files",
    description:
      `The body is the file itself: ${allowedContent}, up to \`UPLOAD_MAX_MB\`. Parley detects the type from the content. Use the URL in the response for images, audio and videos of ` +
      "flows, for avatars and backgrounds, and for the `@font-face` rules of a theme.",
    query: Type.Object({ name: { ...NameInput, description: "Name of the file in lists." } }),
    bodyType: "*/*",
    answer: Type.Object({ workspaceFile: WorkspaceFileSchema }),
    errors: [
      "workspace.takes_nothing",
      "workspace_file.too_many",
      "upload.type_not_allowed",
      "upload.empty",
      "upload.interrupted",
      "request.too_large",
      "request.too_slow",
      "storage.unavailable",
      "server.overloaded",
    ],
    handle: async (deps, { caller, params: place, query, headers, request, admission }) => ({
      workspaceFile: await uploadWorkspaceFile(deps, caller, {
        ...place,
        name: query.name,
        contentLength: lengthOf(headers),
        address: admission.address,
        body: request.body && pacedChunks(request.body, { withinMs: limits.uploads.uploadMs, clock: deps.clock }),
        requestOrigin: mainOrigin(deps, request),
      }),
    }),
  }),
  operation({
    id: "deleteWorkspaceFile",
    route: "DELETE /api/v1/workspaces/:workspaceId/files/:fileId",
    query: Type.Object({
      force: Type.Optional(
        Type.Boolean({ description: "Whether to delete the file even if a published bot shows it." }),
      ),
    }),
    answer: Type.Object({ message: Type.Literal(success, { description: "The file is deleted." }) }),
    errors: ["workspace_file.in_use"],
    async handle(deps, { caller, params: place, query: { force = false } }) {
      await deleteWorkspaceFile(deps, caller, place, { isForced: force });
      return { message: success };
    },
  }),
];

/** Serves files of authors to everyone with their address. */
export const workspaceFilePage: Page<FileDependencies> = {
  path: "/api/workspace-files/:fileName",
  host: "chat",
  isReadAnywhere: true,
  async respond(deps, request, { params: { fileName } }) {
    const file = await openWorkspaceFile(deps, String(fileName));
    return fileResponse(file, request, { isPublic: true, isTypeSure: true });
  },
};

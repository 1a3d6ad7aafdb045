import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import {
  exampleId,
  Id,
  IdInput,
  NextCursor,
  nullable,
  PageQuery,
  resource,
  Timestamp,
} from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import { LinkedFrom } from "../schemas.ts";
import { createFolder, deleteFolder, getFolder, listFolders, updateFolder } from "./folders.ts";

export const FolderSchema = resource(
  "Folder",
  {
    id: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    name: Type.String(),
    parentFolderId: nullable(Id),
    workspaceId: Id,
  },
  "A folder of a workspace, which contains bots and folders.",
  { name: "Campaigns", parentFolderId: null },
);

const FolderName = Type.String({ maxLength: limits.fields.nameCharacters });
const NamedWorkspace = Type.Object({
  workspaceId: Type.Optional(Type.String({ description: "If given, it must be the folder's workspace." })),
});
const DeletionQuery = Type.Object({
  ...NamedWorkspace.properties,
  withContent: Type.Optional(
    Type.Boolean({ default: false, description: "Whether to delete the folder's content as well." }),
  ),
});
const operation = operationFor("Folders");

export const folderOperations: readonly Operation[] = [
  operation({
    id: "listFolders",
    route: "GET /api/v1/folders",
    query: Type.Object({
      workspaceId: IdInput,
      parentFolderId: Type.Optional(IdInput),
      isDeep: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Whether to return all folders of the workspace, at any depth, to show them as a tree.",
        }),
      ),
      ...PageQuery.properties,
    }),
    answer: Type.Object({ folders: Type.Array(FolderSchema), nextCursor: NextCursor }),
    errors: ["workspace.not_found", "workspace.forbidden", "folder.not_found"],
    handle: async (deps, { caller, query }) => {
      const list = { ...query, parentFolderId: query.parentFolderId ?? null };
      return listFolders(deps, caller, list);
    },
  }),
  operation({
    id: "createFolder",
    route: "POST /api/v1/folders",
    body: Type.Object({
      workspaceId: IdInput,
      folderName: Type.Optional(
        Type.String({
          maxLength: limits.fields.nameCharacters,
          default: "",
          description: "Name of the folder. It can be empty.",
        }),
      ),
      parentFolderId: Type.Optional(nullable(IdInput)),
    }),
    bodyExample: { workspaceId: exampleId, folderName: "Campaigns" },
    answer: Type.Object({ folder: FolderSchema }),
    errors: ["workspace.not_found", "workspace.forbidden", "workspace.takes_nothing", "folder.not_found"],
    handle: async (deps, { caller, body }) => {
      const { workspaceId, folderName = "", parentFolderId = null } = body;
      return {
        folder: await createFolder(deps, caller, { workspaceId, parentFolderId, name: folderName }),
      };
    },
  }),
  operation({
    id: "getFolder",
    route: "GET /api/v1/folders/:folderId",
    query: NamedWorkspace,
    answer: Type.Object({ folder: FolderSchema }),
    version: ({ folder }) => folder.updatedAt,
    handle: async (deps, { caller, params, query }) => {
      const address = { folderId: params.folderId, workspaceId: query.workspaceId };
      return { folder: await getFolder(deps, caller, address) };
    },
  }),
  operation({
    id: "updateFolder",
    route: "PATCH /api/v1/folders/:folderId",
    query: NamedWorkspace,
    body: Type.Object({
      workspaceId: Type.Optional(IdInput),
      folder: Type.Object(
        { name: Type.Optional(FolderName), parentFolderId: Type.Optional(nullable(IdInput)) },
        { description: "The fields to change." },
      ),
    }),
    answer: Type.Object({ folder: FolderSchema }),
    version: ({ folder }) => folder.updatedAt,
    errors: [
      "workspace.not_found",
      "workspace.forbidden",
      "workspace.takes_nothing",
      "folder.cycle",
      "precondition.failed",
    ],
    handle: async (deps, { caller, params, query, body, seen }) => {
      const address = { folderId: params.folderId, workspaceId: body.workspaceId ?? query.workspaceId };
      return { folder: await updateFolder(deps, caller, address, { ...body.folder, seen }) };
    },
  }),
  operation({
    id: "deleteFolder",
    route: "DELETE /api/v1/folders/:folderId",
    query: DeletionQuery,
    body: DeletionQuery,
    answer: Type.Object({ folder: FolderSchema, linkedFrom: LinkedFrom }),
    errors: ["precondition.failed"],
    handle: async (deps, { caller, params, query, body, seen }) => {
      const address = { folderId: params.folderId, workspaceId: body.workspaceId ?? query.workspaceId };
      const isWithContent = body.withContent ?? query.withContent ?? false;
      return await deleteFolder(deps, caller, address, { isWithContent, seen });
    },
  }),
];

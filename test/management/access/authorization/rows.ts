import { newId } from "../../../../src/platform/ids.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { type CallerName, callerNames } from "./callers.ts";
import type { Place } from "./place.ts";
import type { NeededScope, Outcome, Right } from "./rights.ts";

/** One form of a call to an operation, and the permitted callers. */
export type Row = {
  /** The difference from the operation's other rows. */
  readonly what?: string;
  readonly scope: NeededScope;
  readonly right: Right;
  /** Exceptions from the right. */
  readonly but?: Readonly<Partial<Record<CallerName, Outcome>>>;
  /**
   * The outcomes on the builder's own page, for people who are signed in and for people who are not. They default to
   * the outcomes of the ADMIN and of a caller without a token.
   */
  readonly onOwnPage?: { readonly signedIn: Outcome; readonly nobody: Outcome };
  /** A call that succeeds for permitted callers. By default, all parameters are omitted. */
  readonly call?: (place: Place) => Call | Promise<Call>;
};

export type Call = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly text?: { readonly content: string; readonly type: string };
};

const anybody = { scope: "none", right: "everybody" } as const;
/** Only a page of the builder may sign a person in. */
const signsIn = {
  ...anybody,
  but: Object.fromEntries(callerNames.map((caller) => [caller, "sign_in.not_here"] as const)),
  onOwnPage: both("token.invalid"),
} as const;
const withUsableTokens = callerNames.slice(4);
const reads = (right: Right) => ({ scope: "read", right }) as const;
const writes = (right: Right) => ({ scope: "write", right }) as const;
/** Returns a row for a call that is rejected because of its content, even if the caller has the right. */
const refusedTo = (outcome: Outcome) => ({
  ...writes("workspace: work"),
  but: Object.fromEntries(
    ["ADMIN", "ADMIN, bound here", "ADMIN, scope admin", "MEMBER"].map((caller) => [caller, outcome] as const),
  ),
});
const administers = { scope: "admin", right: "everybody" } as const;

const inWorkspace = ({ workspaceId }: Place) => ({ params: { workspaceId } });
const ofBot = async (place: Place) => ({ params: { botId: (await place.bot()).botId } });
const ofVersion = async (place: Place) => ({ params: { ...(await ofBot(place)).params, number: "1" } });
const ofRevision = async (place: Place) => ({ params: { ...(await ofBot(place)).params, revision: "0" } });
const ofTest = async (place: Place) => ({
  params: { ...(await ofBot(place)).params, name: await place.testConversation() },
});
const ofComment = async (place: Place) => ({
  params: { ...(await ofBot(place)).params, commentId: await place.commentId() },
});
const notTheirs = (callers: readonly CallerName[]) =>
  Object.fromEntries(callers.map((caller) => [caller, "comment.not_yours"] as const));
const ofCanary = async (place: Place) => ({ params: { botId: await place.canary() } });
const ofChat = async (place: Place) => ({ params: { sessionId: (await place.chat()).sessionId } });
const ofPreview = async (place: Place) => ({ params: { sessionId: await place.preview() } });
const ofFolder = async (place: Place) => ({ params: { folderId: await place.folderId() } });
const ofDeletedBot = async (place: Place) => ({ params: { botId: await place.deletedBotId() } });
const ofDeletedFolder = async (place: Place) => ({ params: { folderId: await place.deletedFolderId() } });
const inDeletedWorkspace = async (place: Place) => ({ params: { workspaceId: await place.deletedWorkspaceId() } });
const ofResult = async (place: Place) => ({
  params: { botId: (await place.bot()).botId, resultId: (await place.chat()).resultId },
});
const ofExport = async (place: Place) => ({
  params: { botId: (await place.bot()).botId, exportId: await place.exportId() },
});
const ofEndpoint = async (place: Place) => ({
  params: { workspaceId: place.workspaceId, endpointId: await place.endpointId() },
});
const ofConnection = async (place: Place) => ({
  params: { workspaceId: place.workspaceId, connectionId: await place.connectionId() },
});
const ofContact = async (place: Place) => ({
  params: { ...(await ofConnection(place)).params, contactId: await place.contactId() },
});
const ofSending = async (place: Place) => ({
  params: { ...(await ofConnection(place)).params, sendingId: await place.sendingId() },
});
const ofListener = async (place: Place) => ({
  params: { workspaceId: place.workspaceId, endpointId: await place.listenerId() },
});
const ofCredentials = async (place: Place) => ({
  params: { workspaceId: place.workspaceId, credentialsId: await place.credentialsId() },
});
const ofSecret = async (place: Place) => ({
  params: { workspaceId: place.workspaceId, name: await place.secretName() },
});
const ofDomain = async (place: Place) => ({
  params: { workspaceId: place.workspaceId, customDomainId: (await place.customDomain()).id },
});
const ofTemplate = async (place: Place) => ({
  params: { workspaceId: place.workspaceId, themeTemplateId: await place.themeTemplateId() },
});
const ofSavedTemplate = async (place: Place) => ({ params: { themeTemplateId: await place.themeTemplateId() } });
const ofCalling = async (place: Place) => ({ params: await place.calling() });
const listensNowhere = ["WRITE collaborator", "MEMBER", "ADMIN", "ADMIN, scope admin", "ADMIN, bound here"] as const;
const ofMember = async (place: Place) => ({
  params: { workspaceId: place.workspaceId, userId: await place.somebody() },
});
const ofSomebody = async (place: Place) => ({ params: { userId: await place.somebody() } });
const ofCollaborator = async (place: Place) => {
  const { params } = await ofBot(place);
  return { params: { ...params, userId: await place.collaborator() } };
};

const boundTokens = ["ADMIN, bound here", "ADMIN, bound elsewhere", "administrator, bound elsewhere"] as const;
const flow = { version: "6.1", events: [{ id: "s", type: "start" }], groups: [], edges: [], variables: [] };

/**
 * Every documented operation, with one row for each form of its call. The compatible paths share the rows of the native
 * paths.
 */
export const rows: Readonly<Record<string, readonly Row[]>> = {
  "GET /api/v1/block-types": [reads("everybody")],
  "GET /api/v1/channel-types": [reads("everybody")],
  "GET /api/v1/credential-types": [reads("everybody")],
  "GET /api/v1/flow-schemas": [reads("everybody")],

  "GET /api/v1/workspaces": [reads("everybody")],
  "POST /api/v1/workspaces": [
    {
      ...writes("everybody"),
      but: Object.fromEntries(boundTokens.map((name) => [name, "token.scope"])),
      call: () => ({ body: { name: "Another" } }),
    },
  ],
  "GET /api/v1/workspaces/:workspaceId": [{ ...reads("workspace: see"), call: inWorkspace }],
  "PATCH /api/v1/workspaces/:workspaceId": [
    { ...writes("workspace: administer"), call: (place) => ({ ...inWorkspace(place), body: { name: "Renamed" } }) },
  ],
  "DELETE /api/v1/workspaces/:workspaceId": [{ ...writes("workspace: administer"), call: inWorkspace }],

  "GET /api/v1/workspaces/:workspaceId/members": [{ ...reads("workspace: work"), call: inWorkspace }],
  "PUT /api/v1/workspaces/:workspaceId/members": [
    {
      ...writes("workspace: administer"),
      call: (place) => ({ ...inWorkspace(place), body: { email: "ada@example.com", role: "MEMBER" } }),
    },
  ],
  "PUT /api/v1/workspaces/:workspaceId/members/:userId": [
    {
      ...writes("workspace: administer"),
      call: async (place) => ({ ...(await ofMember(place)), body: { role: "ADMIN" } }),
    },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/members/:userId": [{ ...writes("workspace: administer"), call: ofMember }],

  "GET /api/v1/workspaces/:workspaceId/invitations": [{ ...reads("workspace: administer"), call: inWorkspace }],
  "POST /api/v1/workspaces/:workspaceId/invitations": [
    {
      ...writes("workspace: administer"),
      call: (place) => ({ ...inWorkspace(place), body: { email: "ada@example.com" } }),
    },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/invitations/:invitationId": [
    {
      ...writes("workspace: administer"),
      call: async (place) => ({
        params: { workspaceId: place.workspaceId, invitationId: (await place.invitation()).id },
      }),
    },
  ],
  // The code is only valid for the address of the ADMIN elsewhere.
  "POST /api/v1/invitations/accept": [
    {
      scope: "optional",
      right: "everybody",
      but: {
        "no token": "token.missing",
        GUEST: "invitation.other_address",
        "READ collaborator": "invitation.other_address",
        "WRITE collaborator": "invitation.other_address",
        MEMBER: "invitation.other_address",
        ADMIN: "invitation.other_address",
        "ADMIN, scope read": "token.scope",
        "ADMIN, scope admin": "invitation.other_address",
        "ADMIN, bound here": "invitation.other_address",
        "ADMIN, bound elsewhere": "token.scope",
        administrator: "invitation.other_address",
        "administrator, scope read": "token.scope",
        "administrator, scope write": "invitation.other_address",
        "administrator, bound elsewhere": "token.scope",
      },
      call: async (place) => ({ body: { code: (await place.invitation()).code, name: "Somebody" } }),
    },
  ],

  "GET /api/v1/folders": [
    { ...reads("workspace: work"), call: ({ workspaceId }) => ({ query: { workspaceId } }) },
    {
      ...reads("workspace: work"),
      what: "in a folder",
      call: async (place) => ({ query: { workspaceId: place.workspaceId, parentFolderId: await place.folderId() } }),
    },
  ],
  "POST /api/v1/folders": [{ ...writes("workspace: work"), call: ({ workspaceId }) => ({ body: { workspaceId } }) }],
  "GET /api/v1/folders/:folderId": [{ ...reads("folder"), call: ofFolder }],
  "PATCH /api/v1/folders/:folderId": [
    { ...writes("folder"), call: async (place) => ({ ...(await ofFolder(place)), body: { folder: { name: "New" } } }) },
  ],
  "DELETE /api/v1/folders/:folderId": [{ ...writes("folder"), call: ofFolder }],

  "GET /api/v1/bots": [{ ...reads("workspace: see"), call: ({ workspaceId }) => ({ query: { workspaceId } }) }],
  "POST /api/v1/bots": [
    { ...writes("workspace: work"), call: ({ workspaceId }) => ({ body: { workspaceId, bot: { name: "New" } } }) },
  ],
  "POST /api/v1/bots/import": [
    {
      ...writes("workspace: work"),
      call: ({ workspaceId }) => ({ body: { workspaceId, bot: { ...flow, name: "New", theme: {}, settings: {} } } }),
    },
  ],
  "POST /api/v1/bots/import/check": [
    {
      ...reads("workspace: work"),
      call: ({ workspaceId }) => ({ body: { workspaceId, bot: { ...flow, name: "New", theme: {}, settings: {} } } }),
    },
  ],
  "GET /api/v1/bots/:botId": [{ ...reads("bot: glance"), call: ofBot }],
  "PATCH /api/v1/bots/:botId": [
    {
      ...writes("bot: write"),
      what: "its content",
      call: async (place) => ({ ...(await ofBot(place)), body: { bot: { name: "New", folderId: null } } }),
    },
    {
      ...writes("bot: manage"),
      what: "where it lies",
      call: async (place) => ({ ...(await ofBot(place)), body: { bot: { folderId: await place.folderId() } } }),
    },
  ],
  "DELETE /api/v1/bots/:botId": [{ ...writes("bot: manage"), call: ofBot }],
  "GET /api/v1/bots/:botId/export": [{ ...reads("bot: read"), call: ofBot }],
  "POST /api/v1/bots/:botId/import": [
    { ...writes("bot: write"), call: async (place) => ({ ...(await ofBot(place)), body: { bot: flow } }) },
  ],
  "POST /api/v1/bots/:botId/changes": [
    {
      ...writes("bot: write"),
      call: async (place) => {
        const changes = [{ op: "set", of: "group", id: idOf("g0"), path: ["title"], value: "New" }];
        return { ...(await ofBot(place)), body: { base: 0, changeSets: [{ id: newId(), title: "Rename", changes }] } };
      },
    },
  ],
  "GET /api/v1/bots/:botId/changes": [
    { ...reads("bot: read"), call: async (place) => ({ ...(await ofBot(place)), query: { after: "0" } }) },
  ],
  // An archived bot has no activity to wait for.
  "GET /api/v1/bots/:botId/live": [
    {
      ...reads("bot: read"),
      call: async (place) => ({ params: { botId: await place.archivedBotId() }, query: { after: "0" } }),
    },
  ],
  "PUT /api/v1/bots/:botId/presence": [
    { ...reads("bot: read"), call: async (place) => ({ ...(await ofBot(place)), body: { id: newId() } }) },
  ],
  "GET /api/v1/bots/:botId/comments": [{ ...reads("bot: read"), call: ofBot }],
  "POST /api/v1/bots/:botId/comments": [
    {
      ...writes("bot: read"),
      call: async (place) => ({
        ...(await ofBot(place)),
        body: { text: "Hello", place: { kind: "group", id: "g" } },
      }),
    },
    {
      what: "in a thread",
      ...writes("bot: read"),
      call: async (place) => ({ ...(await ofBot(place)), body: { text: "Yes", threadId: await place.commentId() } }),
    },
  ],
  "PUT /api/v1/bots/:botId/comments/seen": [
    {
      ...reads("bot: read"),
      call: async (place) => ({ ...(await ofBot(place)), body: { at: "2026-01-01T00:00:00Z" } }),
    },
  ],
  "PATCH /api/v1/bots/:botId/comments/:commentId": [
    { ...writes("bot: read"), call: async (place) => ({ ...(await ofComment(place)), body: { isResolved: true } }) },
    {
      what: "its text",
      ...writes("bot: read"),
      but: notTheirs(["READ collaborator", "WRITE collaborator", "MEMBER", "administrator"]),
      call: async (place) => ({ ...(await ofComment(place)), body: { text: "Other words" } }),
    },
  ],
  "DELETE /api/v1/bots/:botId/comments/:commentId": [
    {
      ...writes("bot: read"),
      but: notTheirs(["READ collaborator", "WRITE collaborator", "MEMBER", "administrator"]),
      call: ofComment,
    },
  ],
  "GET /api/v1/bots/:botId/history": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/history/:revision": [{ ...reads("bot: read"), call: ofRevision }],
  "POST /api/v1/bots/:botId/history/:revision/restore": [{ ...writes("bot: write"), call: ofRevision }],
  "POST /api/v1/bots/:botId/move": [
    {
      ...writes("bot: manage"),
      what: "to a folder",
      call: async (place) => ({ ...(await ofBot(place)), body: { folderId: await place.folderId() } }),
    },
    {
      ...writes("bot: manage"),
      what: "to a workspace",
      call: async (place) => ({ ...(await ofBot(place)), body: { workspaceId: place.workspaceId } }),
    },
  ],
  "POST /api/v1/bots/:botId/duplicate": [{ ...writes("bot: manage"), call: ofBot }],
  "POST /api/v1/bots/bulk": ["archive", "move", "delete"].map((action) => ({
    ...writes("bot: manage"),
    what: action,
    call: async (place) => ({ body: { action, botIds: [(await place.bot()).botId], folderId: null } }),
  })),
  "POST /api/v1/bots/:botId/impact": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/testConversations": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/testConversations/:name": [{ ...reads("bot: read"), call: ofTest }],
  "PUT /api/v1/bots/:botId/testConversations/:name": [
    {
      ...writes("bot: write"),
      call: async (place) => ({
        params: { ...(await ofBot(place)).params, name: "another" },
        body: { conversation: { title: "x", turns: [{ expect: {} }] } },
      }),
    },
  ],
  "DELETE /api/v1/bots/:botId/testConversations/:name": [{ ...writes("bot: write"), call: ofTest }],
  "POST /api/v1/bots/:botId/testConversations/record": [
    {
      ...reads("bot: read"),
      call: async (place) => ({ ...(await ofBot(place)), body: { sessionId: (await place.chat()).sessionId } }),
    },
  ],
  "POST /api/v1/bots/:botId/testConversations/run": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/linkedBots": [{ ...reads("bot: read"), call: ofBot }],
  "POST /api/v1/bots/:botId/archive": [{ ...writes("bot: manage"), call: ofBot }],
  "POST /api/v1/bots/:botId/restore": [
    { ...writes("bot: manage"), what: "from the bin", call: ofDeletedBot },
    { ...writes("bot: manage"), what: "from the archive", call: ofBot },
  ],
  "POST /api/v1/bots/:botId/erase": [{ ...writes("bot: manage"), call: ofDeletedBot }],
  "GET /api/v1/workspaces/:workspaceId/bin": [{ ...reads("workspace: work"), call: inWorkspace }],
  "POST /api/v1/folders/:folderId/restore": [{ ...writes("folder"), call: ofDeletedFolder }],
  "POST /api/v1/folders/:folderId/erase": [{ ...writes("folder"), call: ofDeletedFolder }],
  "GET /api/v1/workspaces/suspended": [administers],
  "POST /api/v1/workspaces/:workspaceId/suspend": [
    { ...administers, call: (place) => ({ ...inWorkspace(place), body: { reason: "Unpaid" } }) },
  ],
  "POST /api/v1/workspaces/:workspaceId/resume": [{ ...administers, call: inWorkspace }],
  "GET /api/v1/workspaces/bin": [reads("everybody")],
  "POST /api/v1/workspaces/:workspaceId/restore": [
    // A token that is bound to a workspace in the bin is invalid.
    { ...writes("workspace: administer"), but: { "ADMIN, bound here": "token.invalid" }, call: inDeletedWorkspace },
  ],
  "POST /api/v1/workspaces/:workspaceId/erase": [
    { ...writes("workspace: administer"), but: { "ADMIN, bound here": "token.invalid" }, call: inDeletedWorkspace },
  ],
  "GET /api/v1/bots/:botId/results/bin": [{ ...reads("bot: write"), call: ofBot }],
  "POST /api/v1/bots/:botId/results/restore": [
    { ...writes("bot: write"), call: async (place) => ({ ...(await ofBot(place)), body: { all: true } }) },
  ],
  "POST /api/v1/bots/:botId/results/erase": [
    { ...writes("bot: write"), call: async (place) => ({ ...(await ofBot(place)), body: { all: true } }) },
  ],
  "POST /api/v1/bots/:botId/publish": [{ ...writes("bot: write"), call: ofBot }],
  "POST /api/v1/bots/:botId/lint": [{ ...reads("bot: read"), call: ofBot }],
  "POST /api/v1/bots/:botId/unpublish": [{ ...writes("bot: write"), call: ofBot }],
  "GET /api/v1/bots/:botId/publishedBot": [{ ...reads("bot: glance"), call: ofBot }],
  "GET /api/v1/bots/:botId/publications": [{ ...reads("bot: read"), call: ofBot }],
  "POST /api/v1/bots/:botId/publications/:number/publish": [{ ...writes("bot: write"), call: ofVersion }],
  "POST /api/v1/bots/:botId/publications/import": [
    {
      ...writes("bot: manage"),
      call: async (place) => ({
        ...(await ofBot(place)),
        body: { number: 1_000, createdAt: "2026-01-05T10:00:00Z", bot: {} },
      }),
    },
  ],
  "POST /api/v1/bots/:botId/publications/:number/resume": [
    { ...writes("bot: write"), call: async (place) => ({ params: { botId: await place.unpublished(), number: "1" } }) },
  ],
  "GET /api/v1/bots/:botId/publications/:number": [{ ...reads("bot: read"), call: ofVersion }],
  "GET /api/v1/bots/:botId/runningChats": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/canary": [{ ...reads("bot: read"), call: ofBot }],
  "PATCH /api/v1/bots/:botId/canary": [
    { ...writes("bot: write"), call: async (place) => ({ ...(await ofCanary(place)), body: { percent: 20 } }) },
  ],
  "POST /api/v1/bots/:botId/canary/promote": [{ ...writes("bot: write"), call: ofCanary }],
  "POST /api/v1/bots/:botId/canary/rollback": [{ ...writes("bot: write"), call: ofCanary }],
  "GET /api/v1/bots/:botId/compare": [{ ...reads("bot: read"), call: ofBot }],
  "POST /api/v1/bots/:botId/publications/:number/restore": [{ ...writes("bot: write"), call: ofVersion }],
  "POST /api/v1/bots/:botId/publications/:number/startChat": [{ ...writes("bot: write"), call: ofVersion }],

  "GET /api/v1/bots/:botId/collaborators": [{ ...reads("bot: read"), call: ofBot }],
  "PUT /api/v1/bots/:botId/collaborators": [
    {
      ...writes("bot: manage"),
      call: async (place) => ({ ...(await ofBot(place)), body: { email: "ada@example.com", type: "WRITE" } }),
    },
  ],
  "PUT /api/v1/bots/:botId/collaborators/:userId": [
    {
      ...writes("bot: manage"),
      call: async (place) => ({ ...(await ofCollaborator(place)), body: { type: "WRITE" } }),
    },
  ],
  "DELETE /api/v1/bots/:botId/collaborators/:userId": [{ ...writes("bot: manage"), call: ofCollaborator }],
  "GET /api/v1/bots/:botId/invitations": [{ ...reads("bot: manage"), call: ofBot }],
  "DELETE /api/v1/bots/:botId/invitations/:invitationId": [
    {
      ...writes("bot: manage"),
      call: async (place) => ({
        params: { botId: (await place.bot()).botId, invitationId: await place.botInvitationId() },
      }),
    },
  ],

  "GET /api/v1/workspaces/:workspaceId/custom-domains": [{ ...reads("workspace: work"), call: inWorkspace }],
  "POST /api/v1/workspaces/:workspaceId/custom-domains": [
    { ...writes("workspace: work"), call: (place) => ({ ...inWorkspace(place), body: { name: "chat.example.com" } }) },
  ],
  "GET /api/v1/workspaces/:workspaceId/custom-domains/:customDomainId": [
    { ...reads("workspace: work"), call: ofDomain },
  ],
  "POST /api/v1/workspaces/:workspaceId/custom-domains/:customDomainId/verify": [
    { ...writes("workspace: work"), call: ofDomain },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/custom-domains/:customDomainId": [
    { ...writes("workspace: work"), call: ofDomain },
  ],
  "GET /api/v1/domains/allowed": [
    { ...anybody, call: async (place) => ({ query: { domain: (await place.customDomain()).name } }) },
  ],

  "GET /api/v1/workspaces/:workspaceId/figures": [{ ...reads("workspace: see"), call: inWorkspace }],
  "GET /api/v1/workspaces/:workspaceId/problems": [{ ...reads("workspace: see"), call: inWorkspace }],
  "GET /api/v1/workspaces/:workspaceId/insight": [{ ...reads("workspace: see"), call: inWorkspace }],
  "GET /api/v1/bots/:botId/insight": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/insight/series": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/analytics/stats": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/analytics/inDepthData": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/results": [{ ...reads("bot: read"), call: ofBot }],
  "DELETE /api/v1/bots/:botId/results": [
    { ...writes("bot: write"), call: async (place) => ({ ...(await ofBot(place)), body: { all: true } }) },
    {
      ...writes("bot: write"),
      what: "by their ids",
      call: async (place) => ({
        ...(await ofBot(place)),
        body: { resultIds: [(await place.chat()).resultId] },
      }),
    },
  ],
  "GET /api/v1/bots/:botId/results/summary": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/results/export": [
    {
      ...reads("bot: read"),
      // The period contains no lines, so every permitted caller gets the same response.
      call: async (place) => ({ ...(await ofBot(place)), query: { format: "ndjson", to: "1971-01-01T00:00:00Z" } }),
    },
  ],
  "POST /api/v1/bots/:botId/result-exports": [{ ...writes("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/result-exports": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/result-exports/:exportId": [{ ...reads("bot: read"), call: ofExport }],
  "GET /api/v1/bots/:botId/result-exports/:exportId/file": [{ ...reads("bot: read"), call: ofExport }],
  // The user who requested the export, in this test the ADMIN, also needs the right.
  "DELETE /api/v1/bots/:botId/result-exports/:exportId": [{ ...writes("bot: write"), call: ofExport }],
  "GET /api/v1/bots/:botId/results/:resultId/model-calls": [{ ...reads("bot: read"), call: ofResult }],
  "GET /api/v1/workspaces/:workspaceId/model-usage": [{ ...reads("workspace: work"), call: inWorkspace }],
  "GET /api/v1/workspaces/:workspaceId/model-budget": [{ ...reads("workspace: work"), call: inWorkspace }],
  "PUT /api/v1/workspaces/:workspaceId/model-budget": [
    {
      ...writes("workspace: administer"),
      call: (place) => ({ ...inWorkspace(place), body: { day: { tokens: 1_000 } } }),
    },
  ],
  "GET /api/v1/workspaces/:workspaceId/model-prices": [{ ...reads("workspace: work"), call: inWorkspace }],
  "PUT /api/v1/workspaces/:workspaceId/model-prices": [
    { ...writes("workspace: administer"), call: (place) => ({ ...inWorkspace(place), body: { prices: [] } }) },
  ],
  "GET /api/v1/bots/:botId/results/retention": [{ ...reads("bot: read"), call: ofBot }],
  "PUT /api/v1/bots/:botId/results/retention": [
    { ...writes("bot: manage"), call: async (place) => ({ ...(await ofBot(place)), body: { days: 30 } }) },
  ],
  "GET /api/v1/bots/:botId/results/:resultId": [{ ...reads("bot: read"), call: ofResult }],
  "PATCH /api/v1/bots/:botId/results/:resultId": [
    { ...writes("bot: write"), call: async (place) => ({ ...(await ofResult(place)), body: { tags: ["lead"] } }) },
  ],
  "DELETE /api/v1/bots/:botId/results/:resultId": [{ ...writes("bot: write"), call: ofResult }],
  "GET /api/v1/bots/:botId/results/:resultId/transcript": [{ ...reads("bot: read"), call: ofResult }],
  "GET /api/v1/bots/:botId/results/:resultId/logs": [{ ...reads("bot: read"), call: ofResult }],
  "GET /api/v1/bots/:botId/results/:resultId/files": [{ ...reads("bot: read"), call: ofResult }],
  "GET /api/v1/bots/:botId/results/:resultId/files/:fileName": [
    {
      ...reads("bot: read"),
      call: async (place) => {
        const { sessionId: _, ...params } = await place.files();
        return { params };
      },
    },
  ],

  "GET /api/v1/users/me": [reads("everybody")],
  "PATCH /api/v1/users/me": [
    {
      ...writes("everybody"),
      but: Object.fromEntries(boundTokens.map((caller) => [caller, "token.scope"] as const)),
      call: () => ({ body: { name: "Somebody" } }),
    },
  ],
  "GET /api/v1/users": [administers],
  "POST /api/v1/users": [{ ...administers, call: () => ({ body: { name: "Somebody" } }) }],
  "GET /api/v1/users/:userId": [{ ...administers, call: ofSomebody }],
  "PATCH /api/v1/users/:userId": [
    { ...administers, call: async (place) => ({ ...(await ofSomebody(place)), body: { name: "Renamed" } }) },
  ],
  "POST /api/v1/users/:userId/deactivate": [{ ...administers, call: ofSomebody }],
  "POST /api/v1/users/:userId/activate": [{ ...administers, call: ofSomebody }],
  "GET /api/v1/users/:userId/api-tokens": [{ ...administers, call: ofSomebody }],
  "DELETE /api/v1/users/:userId/api-tokens/:tokenId": [
    {
      ...administers,
      call: async (place) => ({ params: { userId: await place.adminId(), tokenId: await place.tokenId() } }),
    },
  ],
  "GET /api/v1/users/me/api-tokens": [reads("everybody")],
  "POST /api/v1/users/me/api-tokens": [{ ...writes("everybody"), call: () => ({ body: { name: "Another" } }) }],
  "DELETE /api/v1/users/me/api-tokens/:tokenId": [
    {
      ...writes("own token"),
      but: { "ADMIN, bound here": "token.not_found" },
      call: async (place) => ({ params: { tokenId: await place.tokenId() } }),
    },
  ],

  "POST /api/v1/sign-in/token": [{ ...signsIn, call: async () => ({ body: { token: "none of ours" } }) }],
  "POST /api/v1/sign-in/link": [
    { ...signsIn, onOwnPage: both("sign_in.link_invalid"), call: () => ({ body: { secret: "unknown" } }) },
  ],
  "POST /api/v1/sign-in/email": [
    { ...signsIn, onOwnPage: both("sign_in.no_mail"), call: () => ({ body: { email: "ada@example.com" } }) },
  ],
  "POST /api/v1/sign-in/email-code": [
    {
      ...signsIn,
      onOwnPage: both("sign_in.no_mail"),
      call: () => ({ body: { email: "ada@example.com", code: "123456" } }),
    },
  ],
  // A token is not a sign-in.
  "POST /api/v1/sign-out": [
    {
      ...reads("everybody"),
      but: Object.fromEntries(withUsableTokens.map((caller) => [caller, "sign_in.not_found"] as const)),
      onOwnPage: { signedIn: "ok", nobody: "token.missing" },
    },
  ],
  "GET /api/v1/users/me/sign-ins": [reads("everybody")],
  "DELETE /api/v1/users/me/sign-ins/:signInId": [
    {
      ...writes("own sign-in"),
      but: { "ADMIN, bound here": "sign_in.not_found" },
      call: async (place) => ({ params: { signInId: await place.signInId() } }),
    },
  ],

  "POST /api/v1/bots/:botId/startChat": [
    { ...anybody, call: async (place) => ({ params: { botId: (await place.bot()).publicId } }) },
  ],
  "POST /api/v1/bots/:botId/preview/startChat": [
    {
      what: "of the draft",
      scope: "optional",
      right: "bot: read",
      but: { "no token": "token.missing" },
      call: ofBot,
    },
    {
      what: "of a flow that is sent, traced",
      scope: "write",
      right: "bot: write",
      call: async (place) => ({ ...(await ofBot(place)), body: { bot: flow, isTraced: true } }),
    },
    {
      what: "of a flow that is sent",
      scope: "optional",
      right: "everybody",
      call: async (place) => ({ ...(await ofBot(place)), body: { bot: flow } }),
    },
  ],
  "POST /api/v1/sessions/:sessionId/continueChat": [
    { ...anybody, call: async (place) => ({ ...(await ofChat(place)), body: { message: "5" } }) },
  ],
  "POST /api/v1/payments/stripe/:credentialsId": [
    {
      // The credentials are of another type.
      ...anybody,
      but: Object.fromEntries(callerNames.map((caller) => [caller, "credentials.not_found"])),
      onOwnPage: both("credentials.not_found"),
      call: async (place) => ({ params: { credentialsId: await place.credentialsId() } }),
    },
  ],
  "POST /api/v1/sessions/:sessionId/goBack": [{ ...anybody, call: ofChat }],
  "POST /api/v1/sessions/:sessionId/tryAgain": [
    {
      // The last step of the chat did not call a model.
      ...anybody,
      but: Object.fromEntries(callerNames.map((caller) => [caller, "session.nothing_to_repeat"])),
      onOwnPage: both("session.nothing_to_repeat"),
      call: ofChat,
    },
  ],
  "GET /api/v1/sessions/:sessionId/events": [{ ...anybody, call: ofChat }],
  "POST /api/v1/sessions/:sessionId/stopAnswer": [{ ...anybody, call: ofChat }],
  "POST /api/v1/sessions/:sessionId/rating": [
    {
      // The bot accepts no ratings.
      ...anybody,
      but: Object.fromEntries(callerNames.map((caller) => [caller, "rating.not_offered"])),
      onOwnPage: both("rating.not_offered"),
      call: async (place) => ({ ...(await ofChat(place)), body: { blockId: "answer", revision: 1, isGood: true } }),
    },
  ],
  "POST /api/v1/sessions/:sessionId/suggestions": [
    {
      ...anybody,
      call: async (place) => ({ ...(await ofChat(place)), body: { blockId: "address", text: "Main Street" } }),
    },
  ],
  "GET /api/v1/sessions/:sessionId": [{ ...anybody, call: ofChat }],
  "POST /api/v1/sessions/:sessionId/clientLogs": [
    { ...anybody, call: async (place) => ({ ...(await ofChat(place)), body: { clientLogs: [] } }) },
  ],
  "POST /api/v2/sessions/:sessionId/clientLogs": [
    { ...anybody, call: async (place) => ({ ...(await ofChat(place)), body: { clientLogs: [] } }) },
  ],
  "POST /api/v2/sessions/:sessionId/streamMessage": [{ ...anybody, call: ofChat }],
  "POST /api/v1/channels/:connectionId/webhook": [
    {
      // No connection has this id. A call to an existing connection must be signed.
      ...anybody,
      but: Object.fromEntries(callerNames.map((caller) => [caller, "channel_connection.not_found"])),
      onOwnPage: both("channel_connection.not_found"),
      call: async () => ({ params: { connectionId: newId() } }),
    },
  ],
  "POST /api/v1/callbacks/:callbackToken": [
    {
      ...anybody,
      call: async (place) => ({ params: { callbackToken: await place.callbackToken() }, body: { order: "1" } }),
    },
  ],
  "POST /api/v1/bots/:botId/blocks/:blockId/results/:resultId/executeWebhook": [
    {
      ...writes("bot: write"),
      call: async (place) => ({ params: { ...(await place.listening()), blockId: "listen" }, body: { order: "1" } }),
    },
  ],
  "POST /api/v1/bots/:botId/blocks/:blockId/web/executeTestWebhook": [
    {
      ...writes("bot: write"),
      // None of these callers has a listening preview.
      but: Object.fromEntries(listensNowhere.map((name) => [name, "session.not_found"])),
      call: async (place) => ({ ...(await ofCalling(place)), body: { order: "1" } }),
    },
  ],
  "POST /api/v1/bots/:botId/channelPreview": [
    { ...reads("bot: read"), call: async (place) => ({ ...(await ofBot(place)), body: { channel: "telegram" } }) },
  ],
  "GET /api/v1/sessions/:sessionId/trace": [{ ...reads("chat: read"), call: ofPreview }],
  "PUT /api/v1/sessions/:sessionId/variables": [
    {
      ...reads("chat: read"),
      call: async (place) => ({ ...(await ofPreview(place)), body: { variables: { Name: "Ada" } } }),
    },
  ],
  "POST /api/v1/sessions/:sessionId/passTime": [
    { ...reads("chat: read"), call: async (place) => ({ params: { sessionId: await place.timedPreview() } }) },
  ],
  "POST /api/v1/sessions/:sessionId/updateBot": [{ ...writes("chat: write"), call: ofChat }],
  "GET /api/v1/bots/:botId/webhookBlocks": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/v1/bots/:botId/webhookBlocks/:blockId/getResultExample": [{ ...reads("bot: read"), call: ofCalling }],
  "POST /api/v1/bots/:botId/webhookBlocks/:blockId/subscribe": [
    {
      ...writes("bot: write"),
      call: async (place) => ({ ...(await ofCalling(place)), body: { url: "https://hooks.example/1" } }),
    },
  ],
  "POST /api/v1/bots/:botId/webhookBlocks/:blockId/unsubscribe": [{ ...writes("bot: write"), call: ofCalling }],
  "POST /api/v1/bots/:botId/blocks/:blockId/testCall": [{ ...writes("bot: write"), call: ofCalling }],
  "POST /api/v1/bots/:botId/blocks/:blockId/options": [
    {
      ...writes("bot: write"),
      // An HTTP block does not have the field `tableId`.
      but: Object.fromEntries(listensNowhere.map((name) => [name, "field.no_options"])),
      call: async (place) => ({ ...(await ofCalling(place)), body: { field: "tableId" } }),
    },
  ],
  "GET /api/users/me": [reads("everybody")],
  "GET /api/typebots": [reads("everybody")],
  "GET /api/typebots/:typebotId/webhookSteps": [{ ...reads("bot: read"), call: ofBot }],
  "GET /api/typebots/:typebotId/webhookBlocks": [{ ...reads("bot: read"), call: ofBot }],

  "GET /api/v1/workspaces/:workspaceId/brand": [{ ...reads("workspace: see"), call: inWorkspace }],
  "PUT /api/v1/workspaces/:workspaceId/brand": [
    { ...writes("workspace: work"), call: (place) => ({ ...inWorkspace(place), body: { brand: { name: "Autumn" } } }) },
  ],
  "GET /api/v1/workspaces/:workspaceId/theme-templates": [{ ...reads("workspace: work"), call: inWorkspace }],
  "POST /api/v1/workspaces/:workspaceId/theme-templates": [
    {
      ...writes("workspace: work"),
      call: (place) => ({ ...inWorkspace(place), body: { name: "Autumn", theme: {} } }),
    },
  ],
  "GET /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId": [
    { ...reads("workspace: work"), call: ofTemplate },
  ],
  "PATCH /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId": [
    { ...writes("workspace: work"), call: async (place) => ({ ...(await ofTemplate(place)), body: { name: "New" } }) },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId": [
    { ...writes("workspace: work"), call: ofTemplate },
  ],
  "GET /api/v1/themeTemplates": [
    { ...reads("workspace: work"), call: ({ workspaceId }) => ({ query: { workspaceId } }) },
  ],
  "PUT /api/v1/themeTemplates/:themeTemplateId": [
    {
      ...writes("workspace: work"),
      call: async (place) => ({
        ...(await ofSavedTemplate(place)),
        body: { workspaceId: place.workspaceId, name: "New", theme: {} },
      }),
    },
  ],
  "DELETE /api/v1/themeTemplates/:themeTemplateId": [
    {
      ...writes("workspace: work"),
      call: async (place) => ({ ...(await ofSavedTemplate(place)), body: { workspaceId: place.workspaceId } }),
    },
  ],
  "GET /api/v1/workspaces/:workspaceId/files": [{ ...reads("workspace: work"), call: inWorkspace }],
  "POST /api/v1/workspaces/:workspaceId/files": [
    {
      ...writes("workspace: work"),
      call: (place) => ({
        ...inWorkspace(place),
        query: { name: "a.gif" },
        text: { content: "GIF89a", type: "image/gif" },
      }),
    },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/files/:fileId": [
    {
      ...writes("workspace: work"),
      call: async (place) => ({
        params: { workspaceId: place.workspaceId, fileId: await place.workspaceFileId() },
      }),
    },
  ],
  "POST /api/v1/bots/:botId/results/import": [
    {
      ...writes("bot: write"),
      call: async (place) => ({
        ...(await ofBot(place)),
        body: { source: "x", results: [{ id: "r", createdAt: "2026-01-01T00:00:00Z" }] },
      }),
    },
  ],
  "POST /api/v1/bots/:botId/results/import/files": [
    {
      ...writes("bot: write"),
      call: async (place) => ({ ...(await ofBot(place)), body: await place.importedFiles() }),
    },
  ],
  "POST /api/v1/generate-upload-url": [
    {
      ...anybody,
      call: async (place) => ({ body: { sessionId: (await place.files()).sessionId, fileName: "a.pdf" } }),
    },
  ],
  "POST /api/v2/generate-upload-url": [
    {
      ...anybody,
      call: async (place) => ({ body: { sessionId: (await place.files()).sessionId, fileName: "a.pdf" } }),
    },
  ],
  "POST /api/v3/generate-upload-url": [
    {
      ...anybody,
      call: async (place) => ({
        body: {
          sessionId: (await place.files()).sessionId,
          blockId: "b",
          fileName: "a.pdf",
          fileType: "application/pdf",
        },
      }),
    },
  ],
  "POST /api/uploads/:token": [
    {
      ...anybody,
      call: async (place) => ({
        params: { token: await place.uploadToken() },
        text: {
          content: '--e\r\nContent-Disposition: form-data; name="file"\r\n\r\n%PDF-1.7\r\n--e--',
          type: "multipart/form-data; boundary=e",
        },
      }),
    },
  ],
  "PUT /api/uploads/:token": [
    {
      ...anybody,
      call: async (place) => ({
        params: { token: await place.uploadToken() },
        text: { content: "%PDF-1.7", type: "application/pdf" },
      }),
    },
  ],

  "GET /api/v1/workspaces/:workspaceId/credentials": [{ ...reads("workspace: work"), call: inWorkspace }],
  "POST /api/v1/workspaces/:workspaceId/credentials": [
    {
      ...writes("workspace: work"),
      call: (place) => ({
        ...inWorkspace(place),
        body: { type: "anthropic", name: "Account", data: { apiKey: "a-key-of-the-matrix" } },
      }),
    },
  ],
  "GET /api/v1/workspaces/:workspaceId/credentials/:credentialsId": [
    { ...writes("workspace: work"), call: ofCredentials },
  ],
  "PATCH /api/v1/workspaces/:workspaceId/credentials/:credentialsId": [
    {
      ...writes("workspace: work"),
      call: async (place) => ({ ...(await ofCredentials(place)), body: { name: "Another account" } }),
    },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/credentials/:credentialsId": [
    { ...writes("workspace: work"), call: ofCredentials },
  ],

  "POST /api/v1/workspaces/:workspaceId/credentials/google/authorize": [
    {
      ...refusedTo("oauth.no_client"),
      call: (place) => ({ ...inWorkspace(place), body: { for: "gmail", name: "Mails" } }),
    },
  ],
  "POST /api/v1/workspaces/:workspaceId/credentials/google/finish": [
    {
      ...refusedTo("oauth.state_invalid"),
      call: (place) => ({ ...inWorkspace(place), body: { state: "unknown" } }),
    },
  ],
  "POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/test": [
    { ...writes("workspace: work"), call: ofCredentials },
  ],
  "POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/webhook": [
    { ...refusedTo("credentials.no_webhook"), call: ofCredentials },
  ],
  "GET /api/v1/workspaces/:workspaceId/credentials/:credentialsId/models": [
    { ...writes("workspace: work"), call: ofCredentials },
  ],

  "GET /api/v1/workspaces/:workspaceId/secrets": [{ ...reads("workspace: work"), call: inWorkspace }],
  "GET /api/v1/workspaces/:workspaceId/secrets/:name": [{ ...reads("workspace: work"), call: ofSecret }],
  "PUT /api/v1/workspaces/:workspaceId/secrets/:name": [
    {
      ...writes("workspace: work"),
      call: async (place) => ({ ...(await ofSecret(place)), body: { value: "another secret" } }),
    },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/secrets/:name": [{ ...writes("workspace: work"), call: ofSecret }],

  "GET /api/v1/workspaces/:workspaceId/channel-connections": [{ ...reads("workspace: work"), call: inWorkspace }],
  "POST /api/v1/workspaces/:workspaceId/channel-connections": [
    {
      ...writes("workspace: administer"),
      call: (place) => ({
        ...inWorkspace(place),
        body: { channel: "webhook", name: "Ours", settings: { url: "https://receiver.example/messages" } },
      }),
    },
  ],
  "GET /api/v1/workspaces/:workspaceId/channel-connections/:connectionId": [
    { ...reads("workspace: work"), call: ofConnection },
  ],
  "PATCH /api/v1/workspaces/:workspaceId/channel-connections/:connectionId": [
    {
      ...writes("workspace: administer"),
      call: async (place) => ({ ...(await ofConnection(place)), body: { name: "Another name" } }),
    },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/channel-connections/:connectionId": [
    {
      ...writes("workspace: administer"),
      call: async (place) => ({ ...(await ofConnection(place)), query: { name: "Ours" } }),
    },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/check": [
    { ...writes("workspace: work"), call: ofConnection },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/register": [
    { ...writes("workspace: administer"), call: ofConnection },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/enable": [
    { ...writes("workspace: administer"), call: ofConnection },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/disable": [
    { ...writes("workspace: administer"), call: ofConnection },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/rotate": [
    { ...writes("workspace: administer"), call: ofConnection },
  ],
  "GET /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/webhook": [
    { ...reads("workspace: work"), call: ofConnection },
  ],
  "GET /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/conversations": [
    { ...reads("workspace: work"), call: ofConnection },
  ],
  "GET /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/conversations/:contactId": [
    { ...reads("workspace: work"), call: ofContact },
  ],
  "GET /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/conversations/:contactId/messages": [
    { ...reads("workspace: work"), call: ofContact },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/conversations/:contactId/end": [
    { ...writes("workspace: work"), call: ofContact },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/test": [
    {
      ...writes("workspace: work"),
      call: async (place) => ({
        params: (await ofConnection(place)).params,
        body: { contactId: await place.contactId(), text: "Hello" },
      }),
    },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/sendings/:sendingId/retry": [
    { ...writes("workspace: work"), call: ofSending },
  ],
  "POST /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/sendings/:sendingId/drop": [
    { ...writes("workspace: work"), call: ofSending },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/channel-connections/:connectionId/contacts/:contactId": [
    { ...writes("workspace: administer"), call: ofContact },
  ],

  "GET /api/v1/workspaces/:workspaceId/event-endpoints": [{ ...reads("workspace: work"), call: inWorkspace }],
  "POST /api/v1/workspaces/:workspaceId/event-endpoints": [
    {
      ...writes("workspace: administer"),
      call: (place) => ({ ...inWorkspace(place), body: { url: "https://receiver.example/events" } }),
    },
  ],
  "GET /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId": [
    { ...reads("workspace: work"), call: ofEndpoint },
  ],
  "PATCH /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId": [
    {
      ...writes("workspace: administer"),
      call: async (place) => ({ ...(await ofEndpoint(place)), body: { isEnabled: false } }),
    },
  ],
  "DELETE /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId": [
    { ...writes("workspace: administer"), call: ofEndpoint },
  ],
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/rotate-secret": [
    { ...writes("workspace: administer"), call: ofEndpoint },
  ],
  "GET /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries": [
    { ...reads("workspace: work"), call: ofEndpoint },
  ],
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries/:deliveryId/redeliver": [
    {
      ...writes("workspace: administer"),
      call: async (place) => ({
        params: { ...(await ofEndpoint(place)).params, deliveryId: await place.deliveryId() },
      }),
    },
  ],
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/test": [
    { ...writes("workspace: administer"), call: ofEndpoint },
  ],
  "POST /api/v1/workspaces/:workspaceId/event-listeners": [
    {
      ...writes("workspace: administer"),
      call: (place) => ({ ...inWorkspace(place), body: { url: "http://localhost:4000/" } }),
    },
  ],
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/receive": [
    {
      ...writes("workspace: administer"),
      call: async (place) => ({ params: (await ofListener(place)).params, body: {} }),
    },
  ],

  "POST /api/v1/workspaces/:workspaceId/person-erasures": [
    {
      ...writes("workspace: administer"),
      call: async (place) => {
        await place.bot();
        return { ...inWorkspace(place), body: { variable: "Name", value: "Ada" } };
      },
    },
  ],
  "GET /api/v1/workspaces/:workspaceId/person-erasures": [{ ...reads("workspace: administer"), call: inWorkspace }],
  "GET /api/v1/workspaces/:workspaceId/audit": [{ ...reads("workspace: administer"), call: inWorkspace }],
  "GET /api/v1/workspaces/:workspaceId/audit/export": [{ ...reads("workspace: administer"), call: inWorkspace }],
  "GET /api/v1/audit": [administers],

  "POST /api/v1/storage/check": [administers],
  "GET /api/healthz": [anybody],
  "GET /api/readyz": [anybody],
  "GET /api/v1/instance": [anybody],
};

function both(outcome: Outcome) {
  return { signedIn: outcome, nobody: outcome };
}

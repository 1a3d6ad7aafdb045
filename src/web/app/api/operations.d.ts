// Written by `npm run client` from the OpenAPI document of the service.
export interface WorkspaceEntry {
  id: string;
  name: string;
  icon: string | null;
  plan: string;
  isSuspended: boolean;
  suspendedReason: string | null;
}

export interface Workspace {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  icon: string | null;
  plan: string;
  paymentProviderId: string | null;
  isSuspended: boolean;
  suspendedAt: string | null;
  suspendedReason: string | null;
  isPastDue: boolean;
  isVerified: boolean;
}

export interface WorkspaceSummary {
  id: string;
  name: string;
  icon: string | null;
  plan: string;
}

export interface SuspendedWorkspace {
  id: string;
  name: string;
  suspendedAt: string;
  suspendedReason: string | null;
}

export interface Member {
  workspaceId: string;
  userId: string;
  role: "ADMIN" | "MEMBER" | "GUEST";
  createdAt: string;
  updatedAt: string;
  user: {
    name: string;
    email: string | null;
  };
}

export interface NewInvitation {
  id: string;
  workspaceId: string;
  email: string;
  role: "ADMIN" | "MEMBER" | "GUEST";
  botId: string | null;
  type: "READ" | "WRITE" | null;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
  code: string | null;
}

export interface Invitation {
  id: string;
  workspaceId: string;
  email: string;
  role: "ADMIN" | "MEMBER" | "GUEST";
  botId: string | null;
  type: "READ" | "WRITE" | null;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
}

export interface User {
  id: string;
  name: string;
  email: string | null;
  isAdministrator: boolean;
  deactivatedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface FirstToken {
  id: string;
  name: string;
  scope: "write";
  token: string;
  allows: Array<string>;
}

export interface Folder {
  id: string;
  createdAt: string;
  updatedAt: string;
  name: string;
  parentFolderId: string | null;
  workspaceId: string;
}

export interface BotSummary {
  id: string;
  name: string;
  icon: string | null;
  workspaceId: string;
  folderId: string | null;
  publicId: string | null;
  address: string | null;
  isClosed: boolean;
  isArchived: boolean;
  publishedBotId: string | null;
  publicationNumber: number | null;
  lastAnsweredAt: string | null;
  accessRight: "write" | "read" | "guest";
  state: "draft" | "live" | "changed" | "closed" | "trouble";
  errorCount: number;
  lastChange: {
    at: string;
    by: string | null;
  };
  lastSevenDays: {
    startedCount: number;
    completedCount: number;
  };
  createdAt: string;
  updatedAt: string;
}

export interface FlowEvent {
  id: string;
  type?: string | null | undefined;
  graphCoordinates?: {
    x?: number | undefined;
    y?: number | undefined;
  } | null | undefined;
  outgoingEdgeId?: string | null | undefined;
  options?: {
    command?: string | undefined;
    resumeAfter?: boolean | undefined;
    contentVariableId?: string | undefined;
    inputNameVariableId?: string | undefined;
    inputTypeVariableId?: string | undefined;
    [key: string]: unknown;
  } | null | undefined;
}

export interface Group {
  id: string;
  title?: string | null | undefined;
  graphCoordinates?: {
    x?: number | undefined;
    y?: number | undefined;
  } | null | undefined;
  blocks?: Array<Block> | null | undefined;
}

export interface Edge {
  id: string;
  from?: {
    blockId?: string | null | undefined;
    itemId?: string | null | undefined;
    pathId?: string | null | undefined;
    eventId?: string | null | undefined;
  } | null | undefined;
  to?: {
    groupId?: string | null | undefined;
    blockId?: string | null | undefined;
  } | null | undefined;
}

export interface Variable {
  id: string;
  name: string;
  isSessionVariable?: boolean | null | undefined;
  value?: string | Array<string | null> | null | undefined;
}

export interface Theme {
  general?: {
    header?: {
      isEnabled?: boolean | undefined;
      name?: string | undefined;
    } | undefined;
    font?: string | {
      type?: "Google" | "Custom" | undefined;
      family?: string | undefined;
      css?: string | undefined;
      url?: string | undefined;
    } | undefined;
    background?: {
      type?: "Color" | "Image" | "None" | undefined;
      content?: string | undefined;
    } | undefined;
    progressBar?: {
      isEnabled?: boolean | undefined;
      color?: string | undefined;
      backgroundColor?: string | undefined;
      placement?: "Top" | "Bottom" | undefined;
      thickness?: number | undefined;
      position?: "fixed" | "absolute" | undefined;
    } | undefined;
  } | undefined;
  chat?: {
    container?: {
      maxWidth?: string | undefined;
      maxHeight?: string | undefined;
      backgroundColor?: string | undefined;
      color?: string | undefined;
      blur?: number | undefined;
      opacity?: number | undefined;
      shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
      border?: {
        thickness?: number | undefined;
        color?: string | undefined;
        roundeness?: "none" | "medium" | "large" | "custom" | undefined;
        customRoundeness?: number | undefined;
        opacity?: number | undefined;
      } | undefined;
    } | undefined;
    hostAvatar?: {
      isEnabled?: boolean | undefined;
      url?: string | undefined;
    } | undefined;
    guestAvatar?: {
      isEnabled?: boolean | undefined;
      url?: string | undefined;
    } | undefined;
    hostBubbles?: {
      backgroundColor?: string | undefined;
      color?: string | undefined;
      blur?: number | undefined;
      opacity?: number | undefined;
      shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
      border?: {
        thickness?: number | undefined;
        color?: string | undefined;
        roundeness?: "none" | "medium" | "large" | "custom" | undefined;
        customRoundeness?: number | undefined;
        opacity?: number | undefined;
      } | undefined;
    } | undefined;
    guestBubbles?: {
      backgroundColor?: string | undefined;
      color?: string | undefined;
      blur?: number | undefined;
      opacity?: number | undefined;
      shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
      border?: {
        thickness?: number | undefined;
        color?: string | undefined;
        roundeness?: "none" | "medium" | "large" | "custom" | undefined;
        customRoundeness?: number | undefined;
        opacity?: number | undefined;
      } | undefined;
    } | undefined;
    buttons?: {
      backgroundColor?: string | undefined;
      color?: string | undefined;
      blur?: number | undefined;
      opacity?: number | undefined;
      shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
      border?: {
        thickness?: number | undefined;
        color?: string | undefined;
        roundeness?: "none" | "medium" | "large" | "custom" | undefined;
        customRoundeness?: number | undefined;
        opacity?: number | undefined;
      } | undefined;
    } | undefined;
    inputs?: {
      backgroundColor?: string | undefined;
      color?: string | undefined;
      blur?: number | undefined;
      opacity?: number | undefined;
      shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
      border?: {
        thickness?: number | undefined;
        color?: string | undefined;
        roundeness?: "none" | "medium" | "large" | "custom" | undefined;
        customRoundeness?: number | undefined;
        opacity?: number | undefined;
      } | undefined;
      placeholderColor?: string | undefined;
    } | undefined;
    roundness?: "none" | "medium" | "large" | undefined;
    buttonsInput?: {
      layout?: "wrap" | "vertical" | undefined;
    } | undefined;
    endMessage?: string | undefined;
  } | undefined;
  customCss?: string | undefined;
  dark?: {
    general?: {
      header?: {
        isEnabled?: boolean | undefined;
        name?: string | undefined;
      } | undefined;
      font?: string | {
        type?: "Google" | "Custom" | undefined;
        family?: string | undefined;
        css?: string | undefined;
        url?: string | undefined;
      } | undefined;
      background?: {
        type?: "Color" | "Image" | "None" | undefined;
        content?: string | undefined;
      } | undefined;
      progressBar?: {
        isEnabled?: boolean | undefined;
        color?: string | undefined;
        backgroundColor?: string | undefined;
        placement?: "Top" | "Bottom" | undefined;
        thickness?: number | undefined;
        position?: "fixed" | "absolute" | undefined;
      } | undefined;
    } | undefined;
    chat?: {
      container?: {
        maxWidth?: string | undefined;
        maxHeight?: string | undefined;
        backgroundColor?: string | undefined;
        color?: string | undefined;
        blur?: number | undefined;
        opacity?: number | undefined;
        shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
        border?: {
          thickness?: number | undefined;
          color?: string | undefined;
          roundeness?: "none" | "medium" | "large" | "custom" | undefined;
          customRoundeness?: number | undefined;
          opacity?: number | undefined;
        } | undefined;
      } | undefined;
      hostAvatar?: {
        isEnabled?: boolean | undefined;
        url?: string | undefined;
      } | undefined;
      guestAvatar?: {
        isEnabled?: boolean | undefined;
        url?: string | undefined;
      } | undefined;
      hostBubbles?: {
        backgroundColor?: string | undefined;
        color?: string | undefined;
        blur?: number | undefined;
        opacity?: number | undefined;
        shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
        border?: {
          thickness?: number | undefined;
          color?: string | undefined;
          roundeness?: "none" | "medium" | "large" | "custom" | undefined;
          customRoundeness?: number | undefined;
          opacity?: number | undefined;
        } | undefined;
      } | undefined;
      guestBubbles?: {
        backgroundColor?: string | undefined;
        color?: string | undefined;
        blur?: number | undefined;
        opacity?: number | undefined;
        shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
        border?: {
          thickness?: number | undefined;
          color?: string | undefined;
          roundeness?: "none" | "medium" | "large" | "custom" | undefined;
          customRoundeness?: number | undefined;
          opacity?: number | undefined;
        } | undefined;
      } | undefined;
      buttons?: {
        backgroundColor?: string | undefined;
        color?: string | undefined;
        blur?: number | undefined;
        opacity?: number | undefined;
        shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
        border?: {
          thickness?: number | undefined;
          color?: string | undefined;
          roundeness?: "none" | "medium" | "large" | "custom" | undefined;
          customRoundeness?: number | undefined;
          opacity?: number | undefined;
        } | undefined;
      } | undefined;
      inputs?: {
        backgroundColor?: string | undefined;
        color?: string | undefined;
        blur?: number | undefined;
        opacity?: number | undefined;
        shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl" | undefined;
        border?: {
          thickness?: number | undefined;
          color?: string | undefined;
          roundeness?: "none" | "medium" | "large" | "custom" | undefined;
          customRoundeness?: number | undefined;
          opacity?: number | undefined;
        } | undefined;
        placeholderColor?: string | undefined;
      } | undefined;
      roundness?: "none" | "medium" | "large" | undefined;
      buttonsInput?: {
        layout?: "wrap" | "vertical" | undefined;
      } | undefined;
      endMessage?: string | undefined;
    } | undefined;
    customCss?: string | undefined;
  } | undefined;
  [key: string]: unknown;
}

export interface Settings {
  general?: {
    isBrandingEnabled?: boolean | undefined;
    language?: string | undefined;
    isTypingEmulationEnabled?: boolean | undefined;
    isInputPrefillEnabled?: boolean | undefined;
    isHideQueryParamsEnabled?: boolean | undefined;
    isNewResultOnRefreshEnabled?: boolean | undefined;
    rememberUser?: {
      isEnabled?: boolean | undefined;
      storage?: "session" | "local" | undefined;
    } | undefined;
    isGoBackEnabled?: boolean | undefined;
    isTranscriptSavingEnabled?: boolean | undefined;
    isStartAgainEnabled?: boolean | undefined;
    systemMessages?: {
      invalidMessage?: string | undefined;
      botClosed?: string | undefined;
      networkErrorTitle?: string | undefined;
      networkErrorMessage?: string | undefined;
      popupBlockedTitle?: string | undefined;
      popupBlockedDescription?: string | undefined;
      popupBlockedButtonLabel?: string | undefined;
      fileUploadError?: string | undefined;
      fileUploadSizeError?: string | undefined;
      noAnswer?: string | undefined;
      whatsAppPictureChoiceSelectLabel?: string | undefined;
    } | undefined;
  } | undefined;
  typingEmulation?: {
    enabled?: boolean | undefined;
    speed?: number | undefined;
    maxDelay?: number | undefined;
    delayBetweenBubbles?: number | undefined;
    isDisabledOnFirstMessage?: boolean | undefined;
  } | undefined;
  publicShare?: {
    isEnabled?: boolean | undefined;
  } | undefined;
  security?: {
    allowedOrigins?: Array<string> | undefined;
    isAuthorCodeDisabled?: boolean | undefined;
  } | undefined;
  metadata?: {
    title?: string | undefined;
    description?: string | undefined;
    imageUrl?: string | undefined;
    favIconUrl?: string | undefined;
    customHeadCode?: string | undefined;
    googleTagManagerId?: string | undefined;
    tagManagerId?: string | undefined;
    allowIndexing?: boolean | undefined;
  } | undefined;
  models?: {
    day?: {
      tokens?: number | undefined;
      money?: number | undefined;
    } | undefined;
    month?: {
      tokens?: number | undefined;
      money?: number | undefined;
    } | undefined;
    session?: {
      tokens?: number | undefined;
      calls?: number | undefined;
    } | undefined;
  } | undefined;
  whatsApp?: {
    isEnabled?: boolean | undefined;
    startCondition?: {
      logicalOperator?: "AND" | "OR" | undefined;
      comparisons?: Array<{
        id?: string | undefined;
        comparisonOperator?: string | undefined;
        value?: string | undefined;
      }> | undefined;
    } | undefined;
    sessionExpiryTimeout?: number | undefined;
    isWebhookForwardingEnabled?: unknown | undefined;
    errorAndMarketingStatusWebhookForwardUrl?: unknown | undefined;
    webhookForwardingEventTypes?: unknown | undefined;
  } | undefined;
  messenger?: {
    isEnabled?: boolean | undefined;
    startCondition?: {
      logicalOperator?: "AND" | "OR" | undefined;
      comparisons?: Array<{
        id?: string | undefined;
        comparisonOperator?: string | undefined;
        value?: string | undefined;
      }> | undefined;
    } | undefined;
    sessionExpiryTimeout?: number | undefined;
    isWebhookForwardingEnabled?: unknown | undefined;
    errorAndMarketingStatusWebhookForwardUrl?: unknown | undefined;
    webhookForwardingEventTypes?: unknown | undefined;
  } | undefined;
  [key: string]: unknown;
}

export interface Bot {
  version: "3" | "4" | "5" | "6" | "6.1";
  events: Array<FlowEvent> | null;
  groups: Array<Group>;
  edges: Array<Edge>;
  variables: Array<Variable>;
  theme: Theme;
  settings: Settings;
  id: string;
  name: string;
  icon: string | null;
  workspaceId: string;
  folderId: string | null;
  publicId: string | null;
  customDomain: string | null;
  selectedThemeTemplateId: string | null;
  resultsTablePreferences: {
    [key: string]: unknown;
  } | null;
  messengerCredentialsId: string | null;
  riskLevel: number | null;
  isClosed: boolean;
  isArchived: boolean;
  createdAt: string;
  updatedAt: string;
  revision: number;
  editor: {
    [key: string]: unknown;
  } | null;
}

export interface BlockType {
  type: string;
  family: "bubble" | "input" | "logic" | "integration" | "event";
  summary: string;
  schema: {
    [key: string]: unknown;
  };
  editor: {
    name: string;
    icon: string;
    words: Array<string>;
    row: Array<string>;
    related: Array<string>;
  };
  examples: Array<{
    title: string;
    block: {
      [key: string]: unknown;
    };
    variables?: {
      [key: string]: unknown;
    } | undefined;
    reply?: string | undefined;
    expect: {
      [key: string]: unknown;
    };
  }>;
}

export interface Change {
  op: "add" | "remove" | "move" | "set" | "edit";
  of: "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame" | "theme" | "settings" | "editor" | "bot";
  id?: string | undefined;
  in?: string | undefined;
  before?: string | undefined;
  path?: Array<string | number> | undefined;
  value?: unknown | undefined;
  text?: "plain" | "rich" | undefined;
  ops?: Array<{
    keep: number;
  } | {
    drop: number;
  } | {
    put: string | Array<{
      text: string;
      marks?: {
        [key: string]: unknown;
      } | undefined;
      link?: {
        [key: string]: unknown;
      } | undefined;
    } | {
      node: unknown;
    } | {
      line: {
        of?: {
          [key: string]: unknown;
        } | undefined;
        in?: Array<{
          [key: string]: unknown;
        }> | undefined;
        joins?: number | undefined;
        isPadded?: true | undefined;
        isNode?: true | undefined;
        isNone?: true | undefined;
      };
    }>;
  } | {
    mark: number;
    marks?: {
      [key: string]: unknown;
    } | undefined;
    line?: {
      of?: {
        [key: string]: unknown;
      } | undefined;
      in?: Array<{
        [key: string]: unknown;
      }> | undefined;
      joins?: number | undefined;
      isPadded?: true | undefined;
      isNode?: true | undefined;
      isNone?: true | undefined;
    } | undefined;
    link?: {
      [key: string]: unknown;
    } | null | undefined;
  }> | undefined;
  isOptional?: true | undefined;
}

export interface ChangeSet {
  revision: number;
  id: string;
  title: string;
  changes: Array<Change>;
  origin?: "restore" | undefined;
  by: {
    userId: string;
    name: string | null;
  } | null;
  at: string;
}

export interface Sitting {
  revision: number;
  revisionBefore: number;
  by: {
    userId: string;
    name: string | null;
  } | null;
  from: string;
  to: string;
  changeSets: number;
  titles: Array<string>;
}

export interface DraftRevision {
  revision: number;
  version: "3" | "4" | "5" | "6" | "6.1";
  events: Array<FlowEvent> | null;
  groups: Array<Group>;
  edges: Array<Edge>;
  variables: Array<Variable>;
  theme: Theme;
  settings: Settings;
  editor: {
    [key: string]: unknown;
  } | null;
}

export interface Presence {
  id: string;
  userId: string;
  name: string | null;
  at: string | null;
  pointer?: {
    x: number;
    y: number;
  } | undefined;
  text?: {
    path: Array<string | number>;
    at: number;
    to: number;
    revision: number;
  } | undefined;
  camera?: {
    x: number;
    y: number;
    zoom: number;
  } | undefined;
}

export interface ImportReport {
  counts: {
    exact: number;
    approximated: number;
    notRun: number;
  };
  blocks: Array<{
    groupId: string;
    blockId: string;
    type: string;
    fidelity: "exact" | "approximated" | "notRun";
    reasons: Array<string>;
  }>;
  missingCredentials: Array<{
    groupId: string;
    blockId: string;
    id: string;
  }>;
  missingBots: Array<{
    groupId: string;
    blockId: string;
    id: string;
  }>;
}

export interface BotFile {
  version: "3" | "4" | "5" | "6" | "6.1";
  events: Array<FlowEvent> | null;
  groups: Array<Group>;
  edges: Array<Edge>;
  variables: Array<Variable>;
  theme: Theme;
  settings: Settings;
  id: string;
  name: string;
  icon: string | null;
  folderId: null;
  selectedThemeTemplateId: string | null;
  resultsTablePreferences: {
    [key: string]: unknown;
  } | null;
  createdAt: string;
  updatedAt: string;
  editor: {
    [key: string]: unknown;
  } | null;
}

export interface BinEntry {
  kind: "bot" | "folder";
  id: string;
  name: string;
  deletedAt: string;
  erasedAt: string;
  deletedWith: string | null;
}

export interface DeletedResult {
  id: string;
  createdAt: string;
  hasStarted: boolean;
  isCompleted: boolean;
  deletedAt: string;
  erasedAt: string;
}

export interface PublishedBot {
  version: "3" | "4" | "5" | "6" | "6.1";
  events: Array<FlowEvent> | null;
  groups: Array<Group>;
  edges: Array<Edge>;
  variables: Array<Variable>;
  theme: Theme;
  settings: Settings;
  id: string;
  botId: string;
  createdAt: string;
  updatedAt: string;
}

export interface Publication {
  id: string;
  number: number;
  hash: string;
  note: string | null;
  overruledRules: Array<string>;
  publishedBy: string | null;
  publishedByName: string | null;
  isCurrent: boolean;
  isCanary: boolean;
  isDraft: boolean;
  figures: {
    views: number;
    starts: number;
    completions: number;
  };
  createdAt: string;
}

export interface PublicationWithFlow {
  id: string;
  number: number;
  hash: string;
  note: string | null;
  overruledRules: Array<string>;
  publishedBy: string | null;
  publishedByName: string | null;
  isCurrent: boolean;
  isCanary: boolean;
  isDraft: boolean;
  figures: {
    views: number;
    starts: number;
    completions: number;
  };
  createdAt: string;
  version: "3" | "4" | "5" | "6" | "6.1";
  events: Array<FlowEvent> | null;
  groups: Array<Group>;
  edges: Array<Edge>;
  variables: Array<Variable>;
  theme: Theme;
  settings: Settings;
}

export interface Difference {
  is: "added" | "removed" | "changed" | "reordered" | "movedOnCanvas";
  of: "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame" | "theme" | "settings" | "editor" | "bot";
  id?: string | undefined;
  in?: string | undefined;
  name?: string | undefined;
  changesMeaning: boolean;
  values?: Array<{
    path: Array<string | number>;
    from?: unknown | undefined;
    to?: unknown | undefined;
  }> | undefined;
}

export interface ListedTestConversation {
  name: string;
  title: string;
  isRequired: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface TextReply {
  type: "text";
  text: string;
  attachedFileUrls?: Array<string> | undefined;
  metadata?: {
    replyId?: string | undefined;
  } | undefined;
}

export interface AudioReply {
  type: "audio";
  url: string;
}

export interface CommandReply {
  type: "command";
  command: string;
}

export interface StartFromGroup {
  type: "group";
  groupId: string;
}

export interface StartFromEvent {
  type: "event";
  eventId: string;
}

export interface StartFromBlock {
  type: "block";
  blockId: string;
}

export interface TestConversation {
  title: string;
  rules?: Array<string> | undefined;
  flow?: unknown | undefined;
  now?: string | undefined;
  seed?: string | undefined;
  start?: {
    message?: null | string | TextReply | AudioReply | CommandReply | undefined;
    isOnlyRegistering?: boolean | undefined;
    startFrom?: StartFromGroup | StartFromEvent | StartFromBlock | undefined;
    prefilledVariables?: {
      [key: string]: unknown;
    } | undefined;
    restored?: {
      variables: Array<{
        name: string;
        value: unknown;
      }>;
      answers: Array<{
        blockId: string;
        content: string;
        attachedFileUrls: Array<string> | null;
      }>;
    } | undefined;
  } | undefined;
  linkedFlows?: {
    [key: string]: unknown;
  } | undefined;
  mocks?: Array<{
    blockId: string;
    report: {
      kind: "http";
      statusCode: number;
      text: string;
    } | {
      kind: "http";
      statusCode: number;
      error: {
        [key: string]: string;
      };
    } | {
      kind: "fetch";
      answer: {
        body: string;
      } | {
        error: string;
      };
    } | {
      kind: "model";
      answer: {
        text: string;
        calls?: Array<{
          id?: string | undefined;
          name: string;
          arguments?: string | {
            [key: string]: unknown;
          } | undefined;
        }> | undefined;
        ended?: "stop" | "length" | "tools" | "filtered" | "cut" | "stopped" | undefined;
        tokens?: {
          in?: number | undefined;
          cached?: number | undefined;
          out?: number | undefined;
        } | undefined;
        responseId?: string | undefined;
      };
    } | {
      kind: "model";
      failure: {
        reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
        status?: number | undefined;
        details?: string | undefined;
      };
    } | {
      kind: "speech";
      url: string;
    } | {
      kind: "speech";
      failure: {
        reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
        status?: number | undefined;
        details?: string | undefined;
      };
    } | {
      kind: "transcription";
      text: string;
    } | {
      kind: "transcription";
      failure: {
        reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
        status?: number | undefined;
        details?: string | undefined;
      };
    } | {
      kind: "transcript";
      text: string;
    } | {
      kind: "linkedFlow";
      program: string | null;
      resultId: string;
    } | {
      kind: "payment";
      paymentIntentSecret: string;
      publicKey: string;
    } | {
      kind: "refused";
      reason: string;
    };
  }> | undefined;
  isPreview?: boolean | undefined;
  contentFormat?: "richText" | "markdown" | undefined;
  turns: Array<{
    say?: null | string | TextReply | AudioReply | CommandReply | undefined;
    now?: string | undefined;
    seed?: string | undefined;
    reports?: Array<{
      kind: "http";
      statusCode: number;
      text: string;
    } | {
      kind: "http";
      statusCode: number;
      error: {
        [key: string]: string;
      };
    } | {
      kind: "fetch";
      answer: {
        body: string;
      } | {
        error: string;
      };
    } | {
      kind: "model";
      answer: {
        text: string;
        calls?: Array<{
          id?: string | undefined;
          name: string;
          arguments?: string | {
            [key: string]: unknown;
          } | undefined;
        }> | undefined;
        ended?: "stop" | "length" | "tools" | "filtered" | "cut" | "stopped" | undefined;
        tokens?: {
          in?: number | undefined;
          cached?: number | undefined;
          out?: number | undefined;
        } | undefined;
        responseId?: string | undefined;
      };
    } | {
      kind: "model";
      failure: {
        reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
        status?: number | undefined;
        details?: string | undefined;
      };
    } | {
      kind: "speech";
      url: string;
    } | {
      kind: "speech";
      failure: {
        reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
        status?: number | undefined;
        details?: string | undefined;
      };
    } | {
      kind: "transcription";
      text: string;
    } | {
      kind: "transcription";
      failure: {
        reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
        status?: number | undefined;
        details?: string | undefined;
      };
    } | {
      kind: "transcript";
      text: string;
    } | {
      kind: "linkedFlow";
      program: string | null;
      resultId: string;
    } | {
      kind: "payment";
      paymentIntentSecret: string;
      publicKey: string;
    } | {
      kind: "refused";
      reason: string;
    }> | undefined;
    effects?: Array<{
      expects: {
        [key: string]: unknown;
      };
      report: {
        kind: "http";
        statusCode: number;
        text: string;
      } | {
        kind: "http";
        statusCode: number;
        error: {
          [key: string]: string;
        };
      } | {
        kind: "fetch";
        answer: {
          body: string;
        } | {
          error: string;
        };
      } | {
        kind: "model";
        answer: {
          text: string;
          calls?: Array<{
            id?: string | undefined;
            name: string;
            arguments?: string | {
              [key: string]: unknown;
            } | undefined;
          }> | undefined;
          ended?: "stop" | "length" | "tools" | "filtered" | "cut" | "stopped" | undefined;
          tokens?: {
            in?: number | undefined;
            cached?: number | undefined;
            out?: number | undefined;
          } | undefined;
          responseId?: string | undefined;
        };
      } | {
        kind: "model";
        failure: {
          reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
          status?: number | undefined;
          details?: string | undefined;
        };
      } | {
        kind: "speech";
        url: string;
      } | {
        kind: "speech";
        failure: {
          reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
          status?: number | undefined;
          details?: string | undefined;
        };
      } | {
        kind: "transcription";
        text: string;
      } | {
        kind: "transcription";
        failure: {
          reason: "credentials" | "address" | "key" | "credit" | "model" | "requests" | "overloaded" | "too long" | "spent" | "withheld" | "unreachable" | "time" | "refused" | "unreadable" | "empty" | "busy" | "budget" | "file";
          status?: number | undefined;
          details?: string | undefined;
        };
      } | {
        kind: "transcript";
        text: string;
      } | {
        kind: "linkedFlow";
        program: string | null;
        resultId: string;
      } | {
        kind: "payment";
        paymentIntentSecret: string;
        publicKey: string;
      } | {
        kind: "refused";
        reason: string;
      };
    }> | undefined;
    expect: {
      shows?: Array<unknown> | undefined;
      asks?: string | null | undefined;
      choices?: Array<unknown> | undefined;
      input?: unknown | undefined;
      actions?: Array<unknown> | undefined;
      logs?: Array<unknown> | undefined;
      progress?: number | undefined;
      ends?: boolean | undefined;
      answers?: Array<unknown> | undefined;
      variables?: {
        [key: string]: unknown;
      } | undefined;
      isCompleted?: boolean | undefined;
      lastMessageNewFormat?: string | null | undefined;
      visitedEdges?: Array<string> | undefined;
      response?: unknown | undefined;
      results?: Array<unknown> | undefined;
      mails?: Array<unknown> | undefined;
      effects?: Array<unknown> | undefined;
      messages?: Array<unknown> | undefined;
      files?: Array<unknown> | undefined;
      answerList?: Array<unknown> | undefined;
      refused?: unknown | undefined;
    };
  }>;
}

export interface StoredTestConversation {
  name: string;
  title: string;
  isRequired: boolean;
  createdAt: string;
  updatedAt: string;
  conversation: TestConversation;
}

export interface Canary {
  number: number;
  percent: number;
  since: string;
  currentNumber: number;
  figures: Array<{
    number: number;
    isCanary: boolean;
    views: number;
    starts: number;
    completions: number;
  }>;
}

export interface SuppliedFlow {
  version?: "3" | "4" | "5" | "6" | "6.1" | null | undefined;
  id?: string | undefined;
  events?: Array<FlowEvent> | null | undefined;
  groups?: Array<Group> | undefined;
  edges?: Array<Edge> | undefined;
  variables?: Array<Variable> | undefined;
  theme?: Theme | undefined;
  settings?: Settings | undefined;
}

export interface ToldStep {
  shows: Array<unknown>;
  asks: string | null;
  choices: Array<unknown>;
}

export interface ImpactPlace {
  kind: "words" | "bubbles" | "call" | "way" | "end" | "uncalled" | "refused";
  blockId: string | null;
  groupId: string | null;
  groupTitle: string | null;
  wasNext: string | null;
  next: string | null;
  chats: number;
  examples: Array<{
    resultId: string;
    sessionId: string;
    step: number;
    reply: string | null;
    was: ToldStep;
    wouldBe: ToldStep | null;
    code?: string | undefined;
  }>;
}

export interface Collaborator {
  botId: string;
  userId: string;
  type: "READ" | "WRITE";
  createdAt: string;
  updatedAt: string;
  user: {
    name: string;
    email: string | null;
  };
}

export interface CustomDomain {
  id: string;
  workspaceId: string;
  name: string;
  state: "pending" | "verified" | "failed";
  proof: {
    record: {
      type: "TXT";
      name: string;
      value: string;
    };
    file: {
      url: string;
      content: string;
    };
  };
  provedBy: "dns" | "file" | null;
  problem: string | null;
  advice: string | null;
  servedUntil: string | null;
  verifiedAt: string | null;
  checkedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface ModelBudget {
  day: {
    tokens: number | null;
    money: number | null;
  };
  month: {
    tokens: number | null;
    money: number | null;
  };
  keepModelCallsDays: number;
  spent: {
    day: {
      tokens: number;
      money: number;
    };
    month: {
      tokens: number;
      money: number;
    };
    reserved: {
      tokens: number;
      money: number;
    };
  };
}

export interface ModelPrice {
  type: "openai" | "anthropic" | "mistral" | "groq" | "deepseek" | "perplexity" | "open-router" | "together-ai";
  model: string;
  in: number;
  cached: number;
  out: number;
}

export interface ModelUsage {
  day: string | null;
  botId: string | null;
  type: string | null;
  model: string | null;
  calls: number;
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
  money: number | null;
}

export interface ModelCall {
  id: string;
  botId: string;
  resultId: string;
  sessionId: string;
  blockId: string;
  type: string;
  model: string;
  ended: string;
  tries: number;
  firstTextMs: number | null;
  durationMs: number;
  tokensIn: number | null;
  tokensCached: number | null;
  tokensOut: number | null;
  isEstimated: boolean;
  money: number | null;
  request: string;
  answer: string | null;
  createdAt: string;
}

export interface ListedCredentials {
  id: string;
  workspaceId: string;
  type: "openai" | "anthropic" | "mistral" | "groq" | "deepseek" | "perplexity" | "open-router" | "together-ai" | "smtp";
  name: string;
  isReadable: boolean;
  lastUsedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface Credentials {
  id: string;
  workspaceId: string;
  type: "openai" | "anthropic" | "mistral" | "groq" | "deepseek" | "perplexity" | "open-router" | "together-ai" | "smtp";
  name: string;
  isReadable: boolean;
  lastUsedAt: string | null;
  createdAt: string;
  updatedAt: string;
  data: {
    [key: string]: unknown;
  };
}

export interface Secret {
  workspaceId: string;
  name: string;
  hosts: Array<string> | null;
  note: string | null;
  isReadable: boolean;
  lastUsedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface ThemeTemplate {
  id: string;
  workspaceId: string;
  name: string;
  theme: {
    [key: string]: unknown;
  };
  createdAt: string;
  updatedAt: string;
}

export interface WorkspaceFile {
  id: string;
  workspaceId: string;
  name: string;
  type: string;
  bytes: number;
  hash: string;
  url: string;
  createdAt: string;
}

export interface Answer {
  createdAt: string;
  resultId: string;
  blockId: string;
  groupId: string;
  variableId: string | null;
  content: string;
  storageUsed: number;
  attachedFileUrls: Array<string>;
  storedFileUrls: Array<string>;
}

export interface Result {
  id: string;
  createdAt: string;
  botId: string;
  variables: Array<{
    id: string;
    name: string;
    value: string | Array<string | null>;
  }>;
  isCompleted: boolean;
  hasStarted: boolean;
  isArchived: boolean;
  answers: Array<Answer>;
  tags: Array<string>;
  note: string | null;
}

export interface ResultTotals {
  results: number;
  started: number;
  completed: number;
  isExact: boolean;
}

export interface ResultLog {
  id: string;
  createdAt: string;
  resultId: string;
  status: string;
  description: string;
  details: string | null;
  context: string | null;
}

export interface ResultExport {
  id: string;
  botId: string;
  userId: string;
  format: "csv" | "ndjson" | "xlsx";
  fileName: string;
  status: "waiting" | "running" | "ready" | "failed";
  writtenResults: number;
  expectedResults: number | null;
  bytes: number | null;
  problem: string | null;
  createdAt: string;
  readyAt: string | null;
  expiresAt: string;
}

export interface ResultRetention {
  days: number | null;
  outdatedResults: number;
}

export interface PersonErasure {
  id: string;
  workspaceId: string;
  userId: string;
  variable: string;
  salt: string;
  valueHash: string;
  isComplete: boolean;
  bots: Array<{
    botId: string;
    name: string;
    results: number;
    answers: number;
    sessions: number;
    files: number;
    resultHashes: Array<string>;
  }>;
  createdAt: string;
}

export interface Utterance {
  createdAt: string;
  role: "bot" | "user";
  type: "text" | "image" | "video" | "audio";
  text?: string | undefined;
  image?: string | undefined;
  video?: string | undefined;
  audio?: string | undefined;
}

export interface BlockInsight {
  blockId: string;
  groupId: string | null;
  type: string | null;
  reached: number;
  answered: number;
  answers: number;
  left: number;
  values: Array<{
    value: string | null;
    chats: number;
    answers: number;
  }>;
}

export interface Insight {
  asOf: string | null;
  from: string | null;
  to: string | null;
  pageViews: number;
  views: number;
  starts: number;
  completions: number;
  medianSeconds: number | null;
  p90Seconds: number | null;
  blocks: Array<BlockInsight>;
  edges: Array<{
    edgeId: string;
    chats: number;
    times: number;
    to: {
      groupId: string;
      blockId: string | null;
    } | null;
  }>;
}

export interface SignIn {
  id: string;
  method: "link" | "token" | "email" | "invitation";
  browser: string;
  tokenName: string | null;
  isCurrent: boolean;
  createdAt: string;
  lastUsedAt: string;
}

export interface OwnUser {
  id: string;
  name: string;
  email: string | null;
  isAdministrator: boolean;
  deactivatedAt: string | null;
  createdAt: string;
  updatedAt: string;
  preferences: {
    [key: string]: unknown;
  };
}

export interface ApiToken {
  id: string;
  name: string;
  scope: "read" | "write" | "admin";
  workspaceId: string | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  allows: Array<string>;
}

export interface NewApiToken {
  id: string;
  name: string;
  scope: "read" | "write" | "admin";
  workspaceId: string | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  allows: Array<string>;
  token: string;
}

export interface AuditEntry {
  id: string;
  createdAt: string;
  workspaceId: string | null;
  userId: string | null;
  userName: string | null;
  tokenId: string | null;
  tokenName: string | null;
  address: string | null;
  requestId: string;
  operation: string;
  subject: "member" | "collaborator" | "invitation" | "apiToken" | "eventEndpoint" | "credentials" | "customDomain" | "secret" | "themeTemplate" | "workspaceFile" | "folder" | "bot" | "workspace" | "user" | null;
  subjectIds: Array<string>;
  outcome: "begun" | "done" | "failed";
  beforeHash: string | null;
  afterHash: string | null;
  changedPaths: Array<string>;
  changedCount: number;
}

export interface StartedBot {
  id: string;
  version: string;
  theme: {
    [key: string]: unknown;
  };
  settings: {
    [key: string]: unknown;
  };
  name?: string | undefined;
  publishedAt?: string | undefined;
}

export interface RichTextContent {
  type: "richText";
  richText: Array<unknown>;
  html: string;
  plainText: string;
}

export interface MarkdownContent {
  type: "markdown";
  markdown: string;
}

export interface TextMessage {
  id: string;
  type: "text";
  content: RichTextContent | MarkdownContent;
  notice?: {
    code: string;
    amount?: number | undefined;
    currency?: string | undefined;
    [key: string]: unknown;
  } | undefined;
}

export interface ImageMessage {
  id: string;
  type: "image";
  content: {
    url?: string | undefined;
    alt?: string | undefined;
    clickLink?: {
      url?: string | undefined;
      alt?: string | undefined;
    } | undefined;
  };
  notice?: {
    code: string;
    amount?: number | undefined;
    currency?: string | undefined;
    [key: string]: unknown;
  } | undefined;
}

export interface VideoMessage {
  id: string;
  type: "video";
  content: {
    url?: string | undefined;
    id?: string | undefined;
    type?: "url" | "youtube" | "vimeo" | "tiktok" | "gumlet" | undefined;
    height?: number | undefined;
    aspectRatio?: string | undefined;
    maxWidth?: string | undefined;
    queryParamsStr?: string | undefined;
    areControlsDisplayed?: boolean | undefined;
    isAutoplayEnabled?: boolean | undefined;
  };
  notice?: {
    code: string;
    amount?: number | undefined;
    currency?: string | undefined;
    [key: string]: unknown;
  } | undefined;
}

export interface EmbedMessage {
  id: string;
  type: "embed";
  content: {
    url?: string | undefined;
    height?: number | undefined;
    waitForEvent?: {
      isEnabled?: boolean | undefined;
      name?: string | undefined;
      saveDataInVariableId?: string | undefined;
    } | undefined;
  };
  notice?: {
    code: string;
    amount?: number | undefined;
    currency?: string | undefined;
    [key: string]: unknown;
  } | undefined;
}

export interface AudioMessage {
  id: string;
  type: "audio";
  content: {
    url?: string | undefined;
    isAutoplayEnabled?: boolean | undefined;
  };
  notice?: {
    code: string;
    amount?: number | undefined;
    currency?: string | undefined;
    [key: string]: unknown;
  } | undefined;
}

export type Message = TextMessage | ImageMessage | VideoMessage | EmbedMessage | AudioMessage;

export interface TextInput {
  id: string;
  type: "text input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    isLong?: boolean | undefined;
    inputMode?: "text" | "decimal" | "numeric" | "tel" | "search" | "email" | "url" | undefined;
    audioClip?: {
      isEnabled?: boolean | undefined;
      saveVariableId?: string | undefined;
      visibility?: "Auto" | "Public" | "Private" | undefined;
    } | undefined;
    attachments?: {
      isEnabled?: boolean | undefined;
      saveVariableId?: string | undefined;
      visibility?: "Auto" | "Public" | "Private" | undefined;
    } | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface NumberInput {
  id: string;
  type: "number input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    min?: number | undefined;
    max?: number | undefined;
    step?: number | undefined;
    locale?: string | undefined;
    style?: "decimal" | "currency" | "percent" | "unit" | undefined;
    currency?: string | undefined;
    unit?: "acre" | "bit" | "byte" | "celsius" | "centimeter" | "day" | "degree" | "fahrenheit" | "fluid-ounce" | "foot" | "gallon" | "gigabit" | "gigabyte" | "gram" | "hectare" | "hour" | "inch" | "kilobit" | "kilobyte" | "kilogram" | "kilometer" | "liter" | "megabit" | "megabyte" | "meter" | "microsecond" | "mile" | "mile-scandinavian" | "milliliter" | "millimeter" | "millisecond" | "minute" | "month" | "nanosecond" | "ounce" | "percent" | "petabyte" | "pound" | "second" | "stone" | "terabit" | "terabyte" | "week" | "yard" | "year" | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface EmailInput {
  id: string;
  type: "email input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    retryMessageContent?: string | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface UrlInput {
  id: string;
  type: "url input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    retryMessageContent?: string | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface DateInput {
  id: string;
  type: "date input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      button?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
      separator?: string | undefined;
    } | undefined;
    hasTime?: boolean | undefined;
    isRange?: boolean | undefined;
    format?: string | undefined;
    min?: string | undefined;
    max?: string | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface TimeInput {
  id: string;
  type: "time input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      button?: string | undefined;
    } | undefined;
    format?: string | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface PhoneNumberInput {
  id: string;
  type: "phone number input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    retryMessageContent?: string | undefined;
    defaultCountryCode?: string | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface ChoiceInput {
  id: string;
  type: "choice input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    isMultipleChoice?: boolean | undefined;
    buttonLabel?: string | undefined;
    dynamicVariableId?: string | undefined;
    isSearchable?: boolean | undefined;
    searchInputPlaceholder?: string | undefined;
    areInitialSearchButtonsVisible?: boolean | undefined;
  } | undefined;
  items: Array<{
    id: string;
    content?: string | undefined;
    value?: string | undefined;
  }>;
  prefilledValue?: string | undefined;
}

export interface PictureChoiceInput {
  id: string;
  type: "picture choice input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    isMultipleChoice?: boolean | undefined;
    isSearchable?: boolean | undefined;
    buttonLabel?: string | undefined;
    searchInputPlaceholder?: string | undefined;
    dynamicItems?: {
      isEnabled?: boolean | undefined;
      titlesVariableId?: string | undefined;
      descriptionsVariableId?: string | undefined;
      pictureSrcsVariableId?: string | undefined;
    } | undefined;
  } | undefined;
  items: Array<{
    id: string;
    pictureSrc?: string | undefined;
    title?: string | undefined;
    description?: string | undefined;
    value?: string | undefined;
  }>;
  prefilledValue?: string | undefined;
}

export interface PaymentInput {
  id: string;
  type: "payment input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    provider?: "Stripe" | undefined;
    labels?: {
      button?: string | undefined;
      success?: string | undefined;
    } | undefined;
    currency?: string | undefined;
    amount?: string | undefined;
    retryMessageContent?: string | undefined;
    additionalInformation?: {
      description?: string | undefined;
      name?: string | undefined;
      email?: string | undefined;
      phoneNumber?: string | undefined;
      address?: {
        country?: string | undefined;
        line1?: string | undefined;
        line2?: string | undefined;
        state?: string | undefined;
        city?: string | undefined;
        postalCode?: string | undefined;
      } | undefined;
    } | undefined;
  } | undefined;
  runtimeOptions?: {
    paymentIntentSecret: string;
    publicKey: string;
    amountLabel: string;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface RatingInput {
  id: string;
  type: "rating input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    buttonType?: "Numbers" | "Icons" | undefined;
    length?: number | undefined;
    startsAt?: number | undefined;
    labels?: {
      left?: string | undefined;
      right?: string | undefined;
      button?: string | undefined;
    } | undefined;
    customIcon?: {
      isEnabled?: boolean | undefined;
      svg?: string | undefined;
    } | undefined;
    isOneClickSubmitEnabled?: boolean | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface FileInput {
  id: string;
  type: "file input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    isRequired?: boolean | undefined;
    isMultipleAllowed?: boolean | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
      clear?: string | undefined;
      skip?: string | undefined;
      success?: {
        single?: string | undefined;
        multiple?: string | undefined;
      } | undefined;
    } | undefined;
    allowedFileTypes?: {
      isEnabled?: boolean | undefined;
      types?: Array<string> | undefined;
    } | undefined;
    capture?: "environment" | "user" | undefined;
    visibility?: "Auto" | "Public" | "Private" | undefined;
    sizeLimit?: number | undefined;
  } | undefined;
  prefilledValue?: string | undefined;
}

export interface CardsInput {
  id: string;
  type: "cards";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    saveResponseMapping?: Array<{
      field?: "Image URL" | "Title" | "Description" | "Button" | "Internal Value" | undefined;
      variableId?: string | undefined;
    }> | undefined;
  } | undefined;
  items: Array<{
    id: string;
    imageUrl?: string | undefined;
    title?: string | undefined;
    description?: string | undefined;
    paths: Array<{
      id: string;
      text?: string | undefined;
    }>;
  }>;
  prefilledValue?: string | undefined;
}

export type Input = TextInput | NumberInput | EmailInput | UrlInput | DateInput | TimeInput | PhoneNumberInput | ChoiceInput | PictureChoiceInput | PaymentInput | RatingInput | FileInput | CardsInput;

export interface ClientSideAction {
  type: string;
  lastBubbleBlockId?: string | undefined;
  expectsDedicatedReply?: boolean | undefined;
  [key: string]: unknown;
}

export interface LogEntry {
  status?: string | undefined;
  description: string;
  details?: unknown | undefined;
  context?: string | undefined;
}

export interface DynamicTheme {
  hostAvatarUrl?: string | undefined;
  guestAvatarUrl?: string | undefined;
  backgroundUrl?: string | undefined;
}

export interface StartedChat {
  sessionId: string;
  resultId: string;
  bot: StartedBot;
  messages: Array<Message>;
  input?: Input | undefined;
  clientSideActions: Array<ClientSideAction>;
  logs: Array<LogEntry>;
  dynamicTheme?: DynamicTheme | undefined;
  progress: number;
}

export interface StartedPreview {
  sessionId: string;
  bot: StartedBot;
  messages: Array<Message>;
  input?: Input | undefined;
  clientSideActions: Array<ClientSideAction>;
  logs: Array<LogEntry>;
  dynamicTheme?: DynamicTheme | undefined;
  progress: number;
}

export interface Step {
  messages: Array<Message>;
  input?: Input | undefined;
  clientSideActions: Array<ClientSideAction>;
  logs: Array<LogEntry>;
  dynamicTheme?: DynamicTheme | undefined;
  progress: number;
  lastMessageNewFormat?: string | undefined;
}

export interface StepBack {
  messages: Array<Message>;
  input?: Input | undefined;
  clientSideActions: Array<ClientSideAction>;
  logs: Array<LogEntry>;
  dynamicTheme?: DynamicTheme | undefined;
  progress: number;
  takenBack: {
    steps: number;
    reply: {
      [key: string]: unknown;
    } | null;
  };
}

export interface Session {
  id: string;
  resultId: string | null;
  createdAt: string;
  expiresAt: string;
  isEnded: boolean;
  bot: StartedBot | null;
  steps: Array<{
    createdAt: string;
    reply: {
      [key: string]: unknown;
    } | null;
    messages: Array<Message>;
    clientSideActions: Array<ClientSideAction>;
    input?: Input | undefined;
    lastMessageNewFormat?: string | undefined;
  }>;
  input?: Input | undefined;
  dynamicTheme?: DynamicTheme | undefined;
  progress: number;
}

export interface TracedReply {
  kind: "reply";
  blockId: string;
}

export interface TracedBlock {
  kind: "block";
  blockId: string;
  edgeId?: string | undefined;
  botId?: string | undefined;
}

export interface TracedVariable {
  kind: "variable";
  variableId: string;
  name: string;
  value: string | Array<string | null> | null;
  isCut?: true | undefined;
  botId?: string | undefined;
}

export interface TracedEffect {
  kind: "effect";
  blockId: string;
  effect: string;
  address?: string | undefined;
  method?: string | undefined;
  model?: string | undefined;
  status?: number | undefined;
  milliseconds: number;
  failure?: string | undefined;
}

export interface TracedLog {
  kind: "log";
  status: string;
  description: string;
  details?: string | undefined;
  context?: string | undefined;
  textInsteadAt?: string | undefined;
}

export type TraceEntry = TracedReply | TracedBlock | TracedVariable | TracedEffect | TracedLog;

export interface TracedStep {
  revision: number;
  createdAt: string;
  wentBackTo: number | null;
  entries: Array<TraceEntry>;
  isCut: boolean;
  waitsAt: string | null;
  isEnded: boolean;
}

export interface HttpBlock {
  id: string;
  groupId: string;
  type: string;
  label: string;
  url: string | null;
}

export interface EventEndpoint {
  id: string;
  workspaceId: string;
  url: string;
  description: string | null;
  eventTypes: Array<"result.started" | "result.answered" | "result.completed" | "bot.published" | "results.exported" | "budget.reached">;
  isEnabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
  fallingBehindSince: string | null;
  pendingCount: number;
  oldestPendingAt: string | null;
  maxConcurrency: number;
  batchSize: number;
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface NewEventEndpoint {
  id: string;
  workspaceId: string;
  url: string;
  description: string | null;
  eventTypes: Array<"result.started" | "result.answered" | "result.completed" | "bot.published" | "results.exported" | "budget.reached">;
  isEnabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
  fallingBehindSince: string | null;
  pendingCount: number;
  oldestPendingAt: string | null;
  maxConcurrency: number;
  batchSize: number;
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
  secret: string;
}

export interface EventDelivery {
  id: string;
  endpointId: string;
  type: "result.started" | "result.answered" | "result.completed" | "bot.published" | "results.exported" | "budget.reached" | "ping";
  botId: string | null;
  resultId: string | null;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  nextAttemptAt: string | null;
  lastAttemptAt: string | null;
  lastStatusCode: number | null;
  lastError: string | null;
  lastResponse: string | null;
  createdAt: string;
}

export interface ResultFile {
  id: string;
  createdAt: string;
  blockId: string;
  name: string;
  type: string;
  bytes: number;
  isPublic: boolean;
  url: string;
}

export interface Instance {
  version: string;
  addresses: {
    api: string;
    app: string | null;
    chat: string;
  };
  signIn: {
    methods: Array<"email" | "link" | "token">;
    isFresh: boolean;
    signUp: "invitation" | "open";
  };
  has: {
    mail: boolean;
    storage: boolean;
    encryption: boolean;
  };
  bounds: {
    uploadMegabytes: number;
    importMegabytes: number;
    preferencesBytes: number;
    editorBytes: number;
    changesPerSet: number;
    setBytes: number;
    setsPerRequest: number;
  };
}

export interface TextBlock {
  id: string;
  type: "text";
  outgoingEdgeId?: string | undefined;
  content?: {
    richText?: Array<unknown> | undefined;
    html?: string | undefined;
    plainText?: string | undefined;
  } | undefined;
}

export interface ImageBlock {
  id: string;
  type: "image";
  outgoingEdgeId?: string | undefined;
  content?: {
    url?: string | undefined;
    alt?: string | undefined;
    clickLink?: {
      url?: string | undefined;
      alt?: string | undefined;
    } | undefined;
  } | undefined;
}

export interface VideoBlock {
  id: string;
  type: "video";
  outgoingEdgeId?: string | undefined;
  content?: {
    url?: string | undefined;
    id?: string | undefined;
    type?: "url" | "youtube" | "vimeo" | "tiktok" | "gumlet" | undefined;
    height?: number | string | undefined;
    aspectRatio?: string | undefined;
    maxWidth?: string | undefined;
    queryParamsStr?: string | undefined;
    areControlsDisplayed?: boolean | undefined;
    isAutoplayEnabled?: boolean | undefined;
  } | undefined;
}

export interface EmbedBlock {
  id: string;
  type: "embed";
  outgoingEdgeId?: string | undefined;
  content?: {
    url?: string | undefined;
    height?: number | string | undefined;
    waitForEvent?: {
      isEnabled?: boolean | undefined;
      name?: string | undefined;
      saveDataInVariableId?: string | undefined;
    } | undefined;
  } | undefined;
}

export interface AudioBlock {
  id: string;
  type: "audio";
  outgoingEdgeId?: string | undefined;
  content?: {
    url?: string | undefined;
    isAutoplayEnabled?: boolean | undefined;
  } | undefined;
}

export interface TextInputBlock {
  id: string;
  type: "text input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    isLong?: boolean | undefined;
    inputMode?: "text" | "decimal" | "numeric" | "tel" | "search" | "email" | "url" | undefined;
    audioClip?: {
      isEnabled?: boolean | undefined;
      saveVariableId?: string | undefined;
      visibility?: "Auto" | "Public" | "Private" | undefined;
    } | undefined;
    attachments?: {
      isEnabled?: boolean | undefined;
      saveVariableId?: string | undefined;
      visibility?: "Auto" | "Public" | "Private" | undefined;
    } | undefined;
  } | undefined;
}

export interface NumberInputBlock {
  id: string;
  type: "number input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    min?: number | string | undefined;
    max?: number | string | undefined;
    step?: number | string | undefined;
    locale?: string | undefined;
    style?: "decimal" | "currency" | "percent" | "unit" | undefined;
    currency?: string | undefined;
    unit?: "acre" | "bit" | "byte" | "celsius" | "centimeter" | "day" | "degree" | "fahrenheit" | "fluid-ounce" | "foot" | "gallon" | "gigabit" | "gigabyte" | "gram" | "hectare" | "hour" | "inch" | "kilobit" | "kilobyte" | "kilogram" | "kilometer" | "liter" | "megabit" | "megabyte" | "meter" | "microsecond" | "mile" | "mile-scandinavian" | "milliliter" | "millimeter" | "millisecond" | "minute" | "month" | "nanosecond" | "ounce" | "percent" | "petabyte" | "pound" | "second" | "stone" | "terabit" | "terabyte" | "week" | "yard" | "year" | undefined;
  } | undefined;
}

export interface EmailInputBlock {
  id: string;
  type: "email input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    retryMessageContent?: string | undefined;
  } | undefined;
}

export interface UrlInputBlock {
  id: string;
  type: "url input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    retryMessageContent?: string | undefined;
  } | undefined;
}

export interface DateInputBlock {
  id: string;
  type: "date input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      button?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
      separator?: string | undefined;
    } | undefined;
    hasTime?: boolean | undefined;
    isRange?: boolean | undefined;
    format?: string | undefined;
    min?: string | undefined;
    max?: string | undefined;
  } | undefined;
}

export interface TimeInputBlock {
  id: string;
  type: "time input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      button?: string | undefined;
    } | undefined;
    format?: string | undefined;
  } | undefined;
}

export interface PhoneNumberInputBlock {
  id: string;
  type: "phone number input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
    } | undefined;
    retryMessageContent?: string | undefined;
    defaultCountryCode?: string | undefined;
  } | undefined;
}

export interface ChoiceInputBlock {
  id: string;
  type: "choice input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    isMultipleChoice?: boolean | undefined;
    buttonLabel?: string | undefined;
    dynamicVariableId?: string | undefined;
    isSearchable?: boolean | undefined;
    searchInputPlaceholder?: string | undefined;
    areInitialSearchButtonsVisible?: boolean | undefined;
  } | undefined;
  items?: Array<{
    id: string;
    content?: string | undefined;
    value?: string | undefined;
    displayCondition?: {
      isEnabled?: boolean | undefined;
      condition?: {
        logicalOperator?: "AND" | "OR" | undefined;
        comparisons?: Array<{
          variableId?: string | undefined;
          comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex" | undefined;
          value?: string | undefined;
        }> | undefined;
      } | undefined;
    } | undefined;
    outgoingEdgeId?: string | undefined;
  }> | undefined;
}

export interface PictureChoiceInputBlock {
  id: string;
  type: "picture choice input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    isMultipleChoice?: boolean | undefined;
    isSearchable?: boolean | undefined;
    buttonLabel?: string | undefined;
    searchInputPlaceholder?: string | undefined;
    dynamicItems?: {
      isEnabled?: boolean | undefined;
      titlesVariableId?: string | undefined;
      descriptionsVariableId?: string | undefined;
      pictureSrcsVariableId?: string | undefined;
    } | undefined;
  } | undefined;
  items?: Array<{
    id: string;
    pictureSrc?: string | undefined;
    title?: string | undefined;
    description?: string | undefined;
    value?: string | undefined;
    displayCondition?: {
      isEnabled?: boolean | undefined;
      condition?: {
        logicalOperator?: "AND" | "OR" | undefined;
        comparisons?: Array<{
          variableId?: string | undefined;
          comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex" | undefined;
          value?: string | undefined;
        }> | undefined;
      } | undefined;
    } | undefined;
    outgoingEdgeId?: string | undefined;
  }> | undefined;
}

export interface PaymentInputBlock {
  id: string;
  type: "payment input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    provider?: "Stripe" | undefined;
    labels?: {
      button?: string | undefined;
      success?: string | undefined;
    } | undefined;
    credentialsId?: string | undefined;
    currency?: string | undefined;
    amount?: string | undefined;
    retryMessageContent?: string | undefined;
    failure?: {
      outgoingEdgeId?: string | undefined;
      message?: string | undefined;
    } | undefined;
    additionalInformation?: {
      description?: string | undefined;
      name?: string | undefined;
      email?: string | undefined;
      phoneNumber?: string | undefined;
      address?: {
        country?: string | undefined;
        line1?: string | undefined;
        line2?: string | undefined;
        state?: string | undefined;
        city?: string | undefined;
        postalCode?: string | undefined;
      } | undefined;
    } | undefined;
  } | undefined;
}

export interface RatingInputBlock {
  id: string;
  type: "rating input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    buttonType?: "Numbers" | "Icons" | undefined;
    length?: number | undefined;
    startsAt?: number | string | undefined;
    labels?: {
      left?: string | undefined;
      right?: string | undefined;
      button?: string | undefined;
    } | undefined;
    customIcon?: {
      isEnabled?: boolean | undefined;
      svg?: string | undefined;
    } | undefined;
    isOneClickSubmitEnabled?: boolean | undefined;
  } | undefined;
}

export interface FileInputBlock {
  id: string;
  type: "file input";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    isRequired?: boolean | undefined;
    isMultipleAllowed?: boolean | undefined;
    labels?: {
      placeholder?: string | undefined;
      button?: string | undefined;
      clear?: string | undefined;
      skip?: string | undefined;
      success?: {
        single?: string | undefined;
        multiple?: string | undefined;
      } | undefined;
    } | undefined;
    allowedFileTypes?: {
      isEnabled?: boolean | undefined;
      types?: Array<string> | undefined;
    } | undefined;
    capture?: "environment" | "user" | undefined;
    visibility?: "Auto" | "Public" | "Private" | undefined;
    sizeLimit?: number | undefined;
  } | undefined;
}

export interface CardsBlock {
  id: string;
  type: "cards";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    saveResponseMapping?: Array<{
      field?: "Image URL" | "Title" | "Description" | "Button" | "Internal Value" | undefined;
      variableId?: string | undefined;
    }> | undefined;
  } | undefined;
  items?: Array<{
    id: string;
    imageUrl?: string | undefined;
    title?: string | undefined;
    description?: string | undefined;
    options?: {
      displayCondition?: {
        isEnabled?: boolean | undefined;
        condition?: {
          logicalOperator?: "AND" | "OR" | undefined;
          comparisons?: Array<{
            variableId?: string | undefined;
            comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex" | undefined;
            value?: string | undefined;
          }> | undefined;
        } | undefined;
      } | undefined;
      internalValue?: string | undefined;
    } | undefined;
    paths?: Array<{
      id: string;
      text?: string | undefined;
      outgoingEdgeId?: string | undefined;
    }> | undefined;
  }> | undefined;
}

export interface SetVariableBlock {
  id: string;
  type: "Set variable";
  outgoingEdgeId?: string | undefined;
  options?: {
    variableId?: string | undefined;
    type?: "Custom" | "Empty" | "Append value(s)" | "Environment name" | "Device type" | "Transcript" | "User ID" | "Result ID" | "Now" | "Today" | "Yesterday" | "Tomorrow" | "Random ID" | "Moment of the day" | "Map item with same index" | "Pop" | "Shift" | "Phone number" | "Contact name" | "Referral Click ID" | "Referral Source ID" | undefined;
    expressionToEvaluate?: string | undefined;
    isCode?: boolean | undefined;
    saveErrorInVariableId?: string | undefined;
    expressionDescription?: string | undefined;
    isExecutedOnClient?: boolean | undefined;
    isUnsafe?: boolean | undefined;
    item?: string | undefined;
    timeZone?: string | undefined;
    mapListItemParams?: {
      baseItemVariableId?: string | undefined;
      baseListVariableId?: string | undefined;
      targetListVariableId?: string | undefined;
    } | undefined;
    saveItemInVariableId?: string | undefined;
  } | undefined;
}

export interface ConditionBlock {
  id: string;
  type: "Condition";
  outgoingEdgeId?: string | undefined;
  items?: Array<{
    content?: {
      logicalOperator?: "AND" | "OR" | undefined;
      comparisons?: Array<{
        variableId?: string | undefined;
        comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex" | undefined;
        value?: string | undefined;
      }> | undefined;
    } | undefined;
    outgoingEdgeId?: string | undefined;
  }> | undefined;
}

export interface RedirectBlock {
  id: string;
  type: "Redirect";
  outgoingEdgeId?: string | undefined;
  options?: {
    url?: string | undefined;
    isNewTab?: boolean | undefined;
  } | undefined;
}

export interface CodeBlock {
  id: string;
  type: "Code";
  outgoingEdgeId?: string | undefined;
  options?: {
    name?: string | undefined;
    content?: string | undefined;
    isExecutedOnClient?: boolean | undefined;
    isUnsafe?: boolean | undefined;
    shouldExecuteInParentContext?: boolean | undefined;
  } | undefined;
}

export interface WaitBlock {
  id: string;
  type: "Wait";
  outgoingEdgeId?: string | undefined;
  options?: {
    secondsToWaitFor?: string | undefined;
    shouldPause?: boolean | undefined;
  } | undefined;
}

export interface ABTestBlock {
  id: string;
  type: "AB test";
  outgoingEdgeId?: string | undefined;
  items?: Array<{
    path: "a" | "b";
    outgoingEdgeId?: string | undefined;
  }> | undefined;
  options?: {
    aPercent?: number | undefined;
  } | undefined;
}

export interface JumpBlock {
  id: string;
  type: "Jump";
  outgoingEdgeId?: string | undefined;
  options?: {
    groupId?: string | undefined;
    blockId?: string | undefined;
  } | undefined;
}

export interface ReturnBlock {
  id: string;
  type: "Return";
  outgoingEdgeId?: string | undefined;
}

export interface ListenWebhookBlock {
  id: string;
  type: "webhook";
  outgoingEdgeId?: string | undefined;
  options?: {
    responseVariableMapping?: Array<{
      variableId?: string | undefined;
      bodyPath?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface TypebotLinkBlock {
  id: string;
  type: "Typebot link";
  outgoingEdgeId?: string | undefined;
  options?: {
    typebotId?: string | undefined;
    groupId?: string | undefined;
    mergeResults?: boolean | undefined;
  } | undefined;
}

export interface HttpRequestBlock {
  id: string;
  type: "Webhook";
  outgoingEdgeId?: string | undefined;
  options?: {
    webhook?: {
      id?: string | undefined;
      method?: "POST" | "GET" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "CONNECT" | "OPTIONS" | "TRACE" | undefined;
      url?: string | undefined;
      headers?: Array<{
        key?: string | undefined;
        value?: string | undefined;
      }> | undefined;
      queryParams?: Array<{
        key?: string | undefined;
        value?: string | undefined;
      }> | undefined;
      body?: string | undefined;
    } | undefined;
    isCustomBody?: boolean | undefined;
    isExecutedOnClient?: boolean | undefined;
    responseVariableMapping?: Array<{
      variableId?: string | undefined;
      bodyPath?: string | undefined;
    }> | undefined;
    variablesForTest?: Array<{
      variableId?: string | undefined;
      value?: string | undefined;
    }> | undefined;
    proxyCredentialsId?: string | undefined;
    timeout?: number | undefined;
  } | undefined;
}

export interface ZapierBlock {
  id: string;
  type: "Zapier";
  outgoingEdgeId?: string | undefined;
  options?: {
    webhook?: {
      id?: string | undefined;
      method?: "POST" | "GET" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "CONNECT" | "OPTIONS" | "TRACE" | undefined;
      url?: string | undefined;
      headers?: Array<{
        key?: string | undefined;
        value?: string | undefined;
      }> | undefined;
      queryParams?: Array<{
        key?: string | undefined;
        value?: string | undefined;
      }> | undefined;
      body?: string | undefined;
    } | undefined;
    isCustomBody?: boolean | undefined;
    isExecutedOnClient?: boolean | undefined;
    responseVariableMapping?: Array<{
      variableId?: string | undefined;
      bodyPath?: string | undefined;
    }> | undefined;
    variablesForTest?: Array<{
      variableId?: string | undefined;
      value?: string | undefined;
    }> | undefined;
    proxyCredentialsId?: string | undefined;
    timeout?: number | undefined;
  } | undefined;
}

export interface MakeComBlock {
  id: string;
  type: "Make.com";
  outgoingEdgeId?: string | undefined;
  options?: {
    webhook?: {
      id?: string | undefined;
      method?: "POST" | "GET" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "CONNECT" | "OPTIONS" | "TRACE" | undefined;
      url?: string | undefined;
      headers?: Array<{
        key?: string | undefined;
        value?: string | undefined;
      }> | undefined;
      queryParams?: Array<{
        key?: string | undefined;
        value?: string | undefined;
      }> | undefined;
      body?: string | undefined;
    } | undefined;
    isCustomBody?: boolean | undefined;
    isExecutedOnClient?: boolean | undefined;
    responseVariableMapping?: Array<{
      variableId?: string | undefined;
      bodyPath?: string | undefined;
    }> | undefined;
    variablesForTest?: Array<{
      variableId?: string | undefined;
      value?: string | undefined;
    }> | undefined;
    proxyCredentialsId?: string | undefined;
    timeout?: number | undefined;
  } | undefined;
}

export interface PabblyBlock {
  id: string;
  type: "Pabbly";
  outgoingEdgeId?: string | undefined;
  options?: {
    webhook?: {
      id?: string | undefined;
      method?: "POST" | "GET" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "CONNECT" | "OPTIONS" | "TRACE" | undefined;
      url?: string | undefined;
      headers?: Array<{
        key?: string | undefined;
        value?: string | undefined;
      }> | undefined;
      queryParams?: Array<{
        key?: string | undefined;
        value?: string | undefined;
      }> | undefined;
      body?: string | undefined;
    } | undefined;
    isCustomBody?: boolean | undefined;
    isExecutedOnClient?: boolean | undefined;
    responseVariableMapping?: Array<{
      variableId?: string | undefined;
      bodyPath?: string | undefined;
    }> | undefined;
    variablesForTest?: Array<{
      variableId?: string | undefined;
      value?: string | undefined;
    }> | undefined;
    proxyCredentialsId?: string | undefined;
    timeout?: number | undefined;
  } | undefined;
}

export interface EmailBlock {
  id: string;
  type: "Email";
  outgoingEdgeId?: string | undefined;
  options?: {
    credentialsId?: string | undefined;
    recipients?: Array<string> | undefined;
    cc?: Array<string> | undefined;
    bcc?: Array<string> | undefined;
    replyTo?: string | undefined;
    subject?: string | undefined;
    body?: string | undefined;
    isCustomBody?: boolean | undefined;
    isBodyCode?: boolean | undefined;
    isEscaped?: boolean | undefined;
    attachmentsVariableId?: string | undefined;
  } | undefined;
}

export interface GoogleAnalyticsBlock {
  id: string;
  type: "Google Analytics";
  outgoingEdgeId?: string | undefined;
  options?: {
    trackingId?: string | undefined;
    category?: string | undefined;
    action?: string | undefined;
    label?: string | undefined;
    value?: number | string | undefined;
    sendTo?: string | undefined;
  } | undefined;
}

export interface PixelBlock {
  id: string;
  type: "Pixel";
  outgoingEdgeId?: string | undefined;
  options?: {
    pixelId?: string | undefined;
    isInitSkip?: boolean | undefined;
    eventType?: "Custom" | "Lead" | "Contact" | "CompleteRegistration" | "Schedule" | "SubmitApplication" | "ViewContent" | "AddPaymentInfo" | "AddToCart" | "AddToWishlist" | "CustomizeProduct" | "Donate" | "FindLocation" | "InitiateCheckout" | "Purchase" | "Search" | "StartTrial" | "Subscribe" | undefined;
    name?: string | undefined;
    params?: Array<{
      id?: string | undefined;
      key?: string | undefined;
      value?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface ChatwootBlock {
  id: string;
  type: "Chatwoot";
  outgoingEdgeId?: string | undefined;
  options?: {
    task?: "Show widget" | "Close widget" | undefined;
    baseUrl?: string | undefined;
    websiteToken?: string | undefined;
    user?: {
      id?: string | undefined;
      email?: string | undefined;
      name?: string | undefined;
      avatarUrl?: string | undefined;
      phoneNumber?: string | undefined;
    } | undefined;
  } | undefined;
}

export interface OpenaiBlock {
  id: string;
  type: "openai";
  outgoingEdgeId?: string | undefined;
  options?: {
    action?: string | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    timeout?: number | undefined;
    assistantId?: string | undefined;
    threadVariableId?: string | undefined;
    threadId?: string | undefined;
    message?: string | undefined;
    additionalInstructions?: string | undefined;
    functions?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
    responseMapping?: Array<{
      item?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | "Message" | "Response ID" | "Thread ID" | undefined;
      variableId?: string | undefined;
    }> | undefined;
    url?: string | undefined;
    prompt?: string | undefined;
    transcriptionVariableId?: string | undefined;
    input?: string | undefined;
    voice?: string | undefined;
    instructions?: string | undefined;
    saveUrlInVariableId?: string | undefined;
    temperature?: number | string | undefined;
    maxTokens?: number | string | undefined;
    fallbacks?: Array<{
      type?: string | undefined;
      credentialsId?: string | undefined;
      model?: string | undefined;
    }> | undefined;
    variablesToExtract?: Array<{
      type?: "string" | "number" | "boolean" | "array" | "enum" | undefined;
      variableId?: string | undefined;
      description?: string | undefined;
      isRequired?: boolean | undefined;
      values?: Array<string> | undefined;
    }> | undefined;
    responseIdVariableId?: string | undefined;
    fileSearchVectorStoreIds?: Array<string> | undefined;
    fileSearchMaxNumResults?: number | undefined;
    fileSearchScoreThreshold?: number | undefined;
    webSearchEnabled?: boolean | undefined;
    codeInterpreterEnabled?: boolean | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | undefined;
      content?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    tools?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface AnthropicBlock {
  id: string;
  type: "anthropic";
  outgoingEdgeId?: string | undefined;
  options?: {
    action?: string | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    timeout?: number | undefined;
    temperature?: number | string | undefined;
    maxTokens?: number | string | undefined;
    fallbacks?: Array<{
      type?: string | undefined;
      credentialsId?: string | undefined;
      model?: string | undefined;
    }> | undefined;
    prompt?: string | undefined;
    variablesToExtract?: Array<{
      type?: "string" | "number" | "boolean" | "array" | "enum" | undefined;
      variableId?: string | undefined;
      description?: string | undefined;
      isRequired?: boolean | undefined;
      values?: Array<string> | undefined;
    }> | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | undefined;
      content?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    tools?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
    responseMapping?: Array<{
      item?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | undefined;
      variableId?: string | undefined;
    }> | undefined;
    systemMessage?: string | undefined;
  } | undefined;
}

export interface MistralBlock {
  id: string;
  type: "mistral";
  outgoingEdgeId?: string | undefined;
  options?: {
    action?: string | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    timeout?: number | undefined;
    temperature?: number | string | undefined;
    maxTokens?: number | string | undefined;
    fallbacks?: Array<{
      type?: string | undefined;
      credentialsId?: string | undefined;
      model?: string | undefined;
    }> | undefined;
    prompt?: string | undefined;
    variablesToExtract?: Array<{
      type?: "string" | "number" | "boolean" | "array" | "enum" | undefined;
      variableId?: string | undefined;
      description?: string | undefined;
      isRequired?: boolean | undefined;
      values?: Array<string> | undefined;
    }> | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | undefined;
      content?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    tools?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
    responseMapping?: Array<{
      item?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | undefined;
      variableId?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface GroqBlock {
  id: string;
  type: "groq";
  outgoingEdgeId?: string | undefined;
  options?: {
    action?: string | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    timeout?: number | undefined;
    temperature?: number | string | undefined;
    maxTokens?: number | string | undefined;
    fallbacks?: Array<{
      type?: string | undefined;
      credentialsId?: string | undefined;
      model?: string | undefined;
    }> | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | undefined;
      content?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    tools?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
    responseMapping?: Array<{
      item?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | undefined;
      variableId?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface DeepseekBlock {
  id: string;
  type: "deepseek";
  outgoingEdgeId?: string | undefined;
  options?: {
    action?: string | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    timeout?: number | undefined;
    temperature?: number | string | undefined;
    maxTokens?: number | string | undefined;
    fallbacks?: Array<{
      type?: string | undefined;
      credentialsId?: string | undefined;
      model?: string | undefined;
    }> | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | undefined;
      content?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    tools?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
    responseMapping?: Array<{
      item?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | undefined;
      variableId?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface PerplexityBlock {
  id: string;
  type: "perplexity";
  outgoingEdgeId?: string | undefined;
  options?: {
    action?: string | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    timeout?: number | undefined;
    temperature?: number | string | undefined;
    maxTokens?: number | string | undefined;
    fallbacks?: Array<{
      type?: string | undefined;
      credentialsId?: string | undefined;
      model?: string | undefined;
    }> | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | undefined;
      content?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    tools?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
    responseMapping?: Array<{
      item?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | undefined;
      variableId?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface OpenRouterBlock {
  id: string;
  type: "open-router";
  outgoingEdgeId?: string | undefined;
  options?: {
    action?: string | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    timeout?: number | undefined;
    temperature?: number | string | undefined;
    maxTokens?: number | string | undefined;
    fallbacks?: Array<{
      type?: string | undefined;
      credentialsId?: string | undefined;
      model?: string | undefined;
    }> | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | undefined;
      content?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    tools?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
    responseMapping?: Array<{
      item?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | undefined;
      variableId?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface TogetherAiBlock {
  id: string;
  type: "together-ai";
  outgoingEdgeId?: string | undefined;
  options?: {
    action?: string | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    timeout?: number | undefined;
    temperature?: number | string | undefined;
    maxTokens?: number | string | undefined;
    fallbacks?: Array<{
      type?: string | undefined;
      credentialsId?: string | undefined;
      model?: string | undefined;
    }> | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | undefined;
      content?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    tools?: Array<{
      type?: string | undefined;
      name?: string | undefined;
      description?: string | undefined;
      parameters?: Array<{
        type?: "string" | "number" | "boolean" | "enum" | undefined;
        name?: string | undefined;
        description?: string | undefined;
        required?: boolean | undefined;
        values?: Array<string> | undefined;
      }> | undefined;
      code?: string | undefined;
    }> | undefined;
    responseMapping?: Array<{
      item?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | undefined;
      variableId?: string | undefined;
    }> | undefined;
  } | undefined;
}

export interface LegacyOpenAiBlock {
  id: string;
  type: "OpenAI";
  outgoingEdgeId?: string | undefined;
  options?: {
    task?: "Create chat completion" | "Create speech" | "Create image" | undefined;
    credentialsId?: string | undefined;
    baseUrl?: string | undefined;
    apiVersion?: string | undefined;
    model?: string | undefined;
    messages?: Array<{
      role?: "system" | "user" | "assistant" | "Dialogue" | "Messages sequence ✨" | undefined;
      content?: string | {
        assistantMessagesVariableId?: string | undefined;
        userMessagesVariableId?: string | undefined;
      } | undefined;
      name?: string | undefined;
      dialogueVariableId?: string | undefined;
      startsBy?: "user" | "assistant" | undefined;
    }> | undefined;
    advancedSettings?: {
      temperature?: number | string | undefined;
    } | undefined;
    responseMapping?: Array<{
      valueToExtract?: "Message content" | "Total tokens" | "Prompt tokens" | "Completion tokens" | undefined;
      variableId?: string | undefined;
    }> | undefined;
    input?: string | undefined;
    voice?: string | undefined;
    saveUrlInVariableId?: string | undefined;
    timeout?: number | undefined;
  } | undefined;
}

export interface UnservedBlock {
  id: string;
  type: "start" | "Google Sheets" | "dify-ai" | "chat-node" | "elevenlabs" | "qr-code" | "cal-com" | "nocodb" | "segment" | "posthog" | "zendesk" | "blink" | "gmail";
  outgoingEdgeId?: string | undefined;
  [key: string]: unknown;
}

export type Block = TextBlock | ImageBlock | VideoBlock | EmbedBlock | AudioBlock | TextInputBlock | NumberInputBlock | EmailInputBlock | UrlInputBlock | DateInputBlock | TimeInputBlock | PhoneNumberInputBlock | ChoiceInputBlock | PictureChoiceInputBlock | PaymentInputBlock | RatingInputBlock | FileInputBlock | CardsBlock | SetVariableBlock | ConditionBlock | RedirectBlock | CodeBlock | WaitBlock | ABTestBlock | JumpBlock | ReturnBlock | ListenWebhookBlock | TypebotLinkBlock | HttpRequestBlock | ZapierBlock | MakeComBlock | PabblyBlock | EmailBlock | GoogleAnalyticsBlock | PixelBlock | ChatwootBlock | OpenaiBlock | AnthropicBlock | MistralBlock | GroqBlock | DeepseekBlock | PerplexityBlock | OpenRouterBlock | TogetherAiBlock | LegacyOpenAiBlock | UnservedBlock;

export interface ErrorBody {
  code: "request.malformed" | "request.invalid" | "request.invalid_address" | "request.incomplete" | "request.too_slow" | "request.too_large" | "precondition.failed" | "route.not_found" | "route.method_not_allowed" | "token.missing" | "token.invalid" | "token.scope" | "token.not_found" | "sign_in.not_here" | "sign_in.link_invalid" | "sign_in.code_invalid" | "sign_in.no_mail" | "sign_in.not_found" | "user.not_found" | "user.email_taken" | "user.last_administrator" | "user.last_admin" | "workspace.not_found" | "workspace.forbidden" | "workspace.suspended" | "member.not_found" | "member.last_admin" | "invitation.not_found" | "invitation.other_address" | "invitation.not_mailed" | "folder.not_found" | "folder.cycle" | "bot.not_found" | "bot.archived" | "bot.too_many_results" | "bot.closed" | "bot.conflict" | "bot.public_id_taken" | "bot.custom_domain_taken" | "custom_domain.not_found" | "custom_domain.too_many" | "bot.not_published" | "canary.not_found" | "block.not_found" | "block.no_address" | "publication.not_found" | "revision.not_found" | "collaborator.not_found" | "flow.no_start" | "flow.broken" | "flow.start_group_not_found" | "flow.start_event_not_found" | "flow.start_block_not_found" | "secret.no_key" | "test_conversation.not_found" | "test_conversation.too_many" | "test_conversation.too_long" | "flow.tests_failed" | "theme_template.not_found" | "theme_template.too_many" | "secret.not_found" | "secret.too_many" | "credentials.not_found" | "credentials.too_many" | "credentials.unreadable" | "credentials.no_models" | "credentials.provider_failed" | "event_endpoint.not_found" | "event_endpoint.too_many" | "event_endpoint.disabled" | "result_export.not_found" | "result_export.not_ready" | "result_export.too_many" | "event_delivery.not_found" | "queue.not_found" | "job.not_found" | "job.not_possible" | "bin.not_there" | "result.not_found" | "cursor.invalid" | "origin.not_allowed" | "session.not_found" | "session.ended" | "session.expired" | "session.go_back_not_allowed" | "session.nothing_before" | "session.not_preview" | "session.not_traced" | "session.variable_not_found" | "session.not_movable" | "session.busy" | "idempotency.key_invalid" | "idempotency.key_too_short" | "idempotency.key_reused" | "idempotency.busy" | "idempotency.in_doubt" | "upload.not_expected" | "upload.not_in_preview" | "upload.type_not_allowed" | "upload.size_not_allowed" | "upload.too_many" | "upload.address_invalid" | "upload.address_expired" | "upload.empty" | "upload.interrupted" | "upload.conflict" | "file.not_found" | "file.range_invalid" | "workspace_file.too_many" | "storage.unavailable" | "command.not_found" | "step.over_budget" | "step.too_many_starts" | "rate_limit.exceeded" | "server.overloaded" | "server.unavailable" | "server.stopping" | "server.save_in_doubt" | "server.newer_state" | "server.internal";
  status: number;
  message: string;
  requestId: string;
  data?: {
    issues?: Array<{
      path: string;
      message: string;
    }> | undefined;
    [key: string]: unknown;
  } | undefined;
}

export interface Operations {
  "GET /api/v1/workspaces": {
    path: undefined;
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      workspaces: Array<WorkspaceEntry>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces": {
    path: undefined;
    query: undefined;
    body: {
      name: string;
      icon?: string | null | undefined;
    };
    answer: {
      workspace: Workspace;
    };
  };
  "GET /api/v1/workspaces/:workspaceId": {
    path: { "workspaceId": string };
    query: undefined;
    body: undefined;
    answer: {
      workspace: Workspace | WorkspaceSummary;
      currentUserMode: "write" | "read" | "guest";
    };
  };
  "PATCH /api/v1/workspaces/:workspaceId": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      name?: string | undefined;
      icon?: string | null | undefined;
    };
    answer: {
      workspace: Workspace;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId": {
    path: { "workspaceId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: string;
    };
  };
  "GET /api/v1/workspaces/suspended": {
    path: undefined;
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      workspaces: Array<SuspendedWorkspace>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/suspend": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      reason: string;
    };
    answer: {
      workspace: Workspace;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/resume": {
    path: { "workspaceId": string };
    query: undefined;
    body: undefined;
    answer: {
      workspace: Workspace;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/members": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      members: Array<Member>;
      nextCursor?: string | undefined;
    };
  };
  "PUT /api/v1/workspaces/:workspaceId/members": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      email: string;
      role: "ADMIN" | "MEMBER" | "GUEST";
    };
    answer: {
      member: Member | null;
      invitation: NewInvitation | null;
    };
  };
  "PUT /api/v1/workspaces/:workspaceId/members/:userId": {
    path: { "workspaceId": string; "userId": string };
    query: undefined;
    body: {
      role: "ADMIN" | "MEMBER" | "GUEST";
    };
    answer: {
      member: Member;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId/members/:userId": {
    path: { "workspaceId": string; "userId": string };
    query: undefined;
    body: undefined;
    answer: {
      member: Member;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/invitations": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      invitations: Array<Invitation>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/invitations": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      email: string;
      role?: "ADMIN" | "MEMBER" | "GUEST" | undefined;
    };
    answer: {
      invitation: NewInvitation;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId/invitations/:invitationId": {
    path: { "workspaceId": string; "invitationId": string };
    query: undefined;
    body: undefined;
    answer: {
      invitation: Invitation;
    };
  };
  "POST /api/v1/invitations/accept": {
    path: undefined;
    query: undefined;
    body: {
      code: string;
      name: string;
    };
    answer: {
      user: User;
      member: Member;
      apiToken: FirstToken | null;
    };
  };
  "GET /api/v1/folders": {
    path: undefined;
    query: { "workspaceId": string; "parentFolderId"?: string | undefined; "isDeep"?: boolean | undefined; "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      folders: Array<Folder>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/folders": {
    path: undefined;
    query: undefined;
    body: {
      workspaceId: string;
      folderName?: string | undefined;
      parentFolderId?: string | null | undefined;
    };
    answer: {
      folder: Folder;
    };
  };
  "GET /api/v1/folders/:folderId": {
    path: { "folderId": string };
    query: { "workspaceId"?: string | undefined };
    body: undefined;
    answer: {
      folder: Folder;
    };
  };
  "PATCH /api/v1/folders/:folderId": {
    path: { "folderId": string };
    query: { "workspaceId"?: string | undefined };
    body: {
      workspaceId?: string | undefined;
      folder: {
        name?: string | undefined;
        parentFolderId?: string | null | undefined;
      };
    };
    answer: {
      folder: Folder;
    };
  };
  "DELETE /api/v1/folders/:folderId": {
    path: { "folderId": string };
    query: { "workspaceId"?: string | undefined; "withContent"?: boolean | undefined };
    body: {
      workspaceId?: string | undefined;
      withContent?: boolean | undefined;
    };
    answer: {
      folder: Folder;
    };
  };
  "GET /api/v1/bots": {
    path: undefined;
    query: { "workspaceId": string; "folderId"?: string | undefined; "search"?: string | undefined; "isPublished"?: boolean | undefined; "isArchived"?: boolean | undefined; "sort"?: "createdAt" | "updatedAt" | "name" | "lastAnsweredAt" | undefined; "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      bots: Array<BotSummary>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/bots": {
    path: undefined;
    query: undefined;
    body: {
      workspaceId: string;
      bot: {
        version?: "3" | "4" | "5" | "6" | "6.1" | null | undefined;
        events?: Array<FlowEvent> | null | undefined;
        groups?: Array<Group> | undefined;
        edges?: Array<Edge> | undefined;
        variables?: Array<Variable> | undefined;
        theme?: Theme | undefined;
        settings?: Settings | undefined;
        name?: string | undefined;
        icon?: string | null | undefined;
        folderId?: string | null | undefined;
        selectedThemeTemplateId?: string | null | undefined;
        resultsTablePreferences?: {
          columnsOrder?: Array<string> | undefined;
          columnsVisibility?: {
            [key: string]: boolean;
          } | undefined;
          columnsWidth?: {
            [key: string]: number;
          } | Array<unknown> | undefined;
        } | null | undefined;
        publicId?: string | null | undefined;
        customDomain?: string | null | undefined;
        editor?: {
          [key: string]: unknown;
        } | null | undefined;
      };
    };
    answer: {
      bot: Bot;
    };
  };
  "GET /api/v1/bots/:botId": {
    path: { "botId": string };
    query: { "migrateToLatestVersion"?: boolean | undefined };
    body: undefined;
    answer: {
      bot: Bot;
      currentUserMode: "write" | "read" | "guest";
    };
  };
  "PATCH /api/v1/bots/:botId": {
    path: { "botId": string };
    query: undefined;
    body: {
      bot: {
        version?: "3" | "4" | "5" | "6" | "6.1" | null | undefined;
        events?: Array<FlowEvent> | null | undefined;
        groups?: Array<Group> | undefined;
        edges?: Array<Edge> | undefined;
        variables?: Array<Variable> | undefined;
        theme?: Theme | undefined;
        settings?: Settings | undefined;
        name?: string | undefined;
        icon?: string | null | undefined;
        folderId?: string | null | undefined;
        selectedThemeTemplateId?: string | null | undefined;
        resultsTablePreferences?: {
          columnsOrder?: Array<string> | undefined;
          columnsVisibility?: {
            [key: string]: boolean;
          } | undefined;
          columnsWidth?: {
            [key: string]: number;
          } | Array<unknown> | undefined;
        } | null | undefined;
        publicId?: string | null | undefined;
        customDomain?: string | null | undefined;
        editor?: {
          [key: string]: unknown;
        } | null | undefined;
        messengerCredentialsId?: string | null | undefined;
        riskLevel?: number | null | undefined;
        isClosed?: boolean | undefined;
        updatedAt?: string | null | undefined;
      };
      overwrite?: boolean | undefined;
    };
    answer: {
      bot: Bot;
    };
  };
  "DELETE /api/v1/bots/:botId": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/block-types": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      blockTypes: Array<BlockType>;
    };
  };
  "GET /api/v1/flow-schemas": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      theme: {
        [key: string]: unknown;
      };
      settings: {
        [key: string]: unknown;
      };
      event: {
        [key: string]: unknown;
      };
      variable: {
        [key: string]: unknown;
      };
      group: {
        [key: string]: unknown;
      };
      edge: {
        [key: string]: unknown;
      };
    };
  };
  "POST /api/v1/bots/:botId/changes": {
    path: { "botId": string };
    query: undefined;
    body: {
      base: number;
      knows?: "edit" | undefined;
      changeSets: Array<{
        id: string;
        title: string;
        changes: Array<{
          op: "add";
          of: "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame";
          in?: string | undefined;
          before?: string | undefined;
          value: {
            [key: string]: unknown;
          };
        } | {
          op: "remove";
          of: "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame";
          id: string;
          in?: string | undefined;
        } | {
          op: "move";
          of: "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame";
          id: string;
          in?: string | undefined;
          before?: string | undefined;
        } | {
          op: "set";
          of: "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame" | "theme" | "settings" | "editor" | "bot";
          id?: string | undefined;
          in?: string | undefined;
          path: Array<string | number>;
          value?: unknown | undefined;
        } | {
          op: "edit";
          of: "group" | "block" | "item" | "edge" | "event" | "variable" | "note" | "frame" | "theme" | "settings" | "editor" | "bot";
          id?: string | undefined;
          in?: string | undefined;
          path: Array<string | number>;
          text: "plain" | "rich";
          ops: Array<{
            keep: number;
          } | {
            drop: number;
          } | {
            put: string | Array<{
              text: string;
              marks?: {
                [key: string]: unknown;
              } | undefined;
              link?: {
                [key: string]: unknown;
              } | undefined;
            } | {
              node: unknown;
            } | {
              line: {
                of?: {
                  [key: string]: unknown;
                } | undefined;
                in?: Array<{
                  [key: string]: unknown;
                }> | undefined;
                joins?: number | undefined;
                isPadded?: true | undefined;
                isNode?: true | undefined;
                isNone?: true | undefined;
              };
            }>;
          } | {
            mark: number;
            marks?: {
              [key: string]: unknown;
            } | undefined;
            line?: {
              of?: {
                [key: string]: unknown;
              } | undefined;
              in?: Array<{
                [key: string]: unknown;
              }> | undefined;
              joins?: number | undefined;
              isPadded?: true | undefined;
              isNode?: true | undefined;
              isNone?: true | undefined;
            } | undefined;
            link?: {
              [key: string]: unknown;
            } | null | undefined;
          }>;
          isOptional?: true | undefined;
        }>;
      }>;
    };
    answer: {
      revision: number;
      updatedAt: string;
      others: Array<ChangeSet>;
    };
  };
  "GET /api/v1/bots/:botId/changes": {
    path: { "botId": string };
    query: { "after": number; "knows"?: "edit" | undefined };
    body: undefined;
    answer: {
      revision: number;
      changeSets: Array<ChangeSet>;
    };
  };
  "GET /api/v1/bots/:botId/history": {
    path: { "botId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      sittings: Array<Sitting>;
      nextCursor?: string | undefined;
    };
  };
  "GET /api/v1/bots/:botId/history/:revision": {
    path: { "botId": string; "revision": string };
    query: undefined;
    body: undefined;
    answer: {
      draft: DraftRevision;
    };
  };
  "POST /api/v1/bots/:botId/history/:revision/restore": {
    path: { "botId": string; "revision": string };
    query: undefined;
    body: undefined;
    answer: {
      revision: number;
      updatedAt: string;
    };
  };
  "GET /api/v1/bots/:botId/live": {
    path: { "botId": string };
    query: { "after": number; "knows"?: "edit" | undefined };
    body: undefined;
    answer: undefined;
  };
  "PUT /api/v1/bots/:botId/presence": {
    path: { "botId": string };
    query: undefined;
    body: {
      id: string;
      at?: string | null | undefined;
      pointer?: {
        x: number;
        y: number;
      } | undefined;
      text?: {
        path: Array<string | number>;
        at: number;
        to: number;
        revision: number;
      } | undefined;
      camera?: {
        x: number;
        y: number;
        zoom: number;
      } | undefined;
      isHere?: boolean | undefined;
    };
    answer: {
      present: Array<Presence>;
    };
  };
  "POST /api/v1/bots/import": {
    path: undefined;
    query: undefined;
    body: {
      workspaceId: string;
      folderId?: string | null | undefined;
      bot: {
        version?: "3" | "4" | "5" | "6" | "6.1" | null | undefined;
        events?: Array<FlowEvent> | null | undefined;
        groups?: Array<Group> | undefined;
        edges?: Array<Edge> | undefined;
        variables?: Array<Variable> | undefined;
        theme?: Theme | undefined;
        settings?: Settings | undefined;
        name?: string | undefined;
        icon?: string | null | undefined;
        folderId?: string | null | undefined;
        selectedThemeTemplateId?: string | null | undefined;
        resultsTablePreferences?: {
          columnsOrder?: Array<string> | undefined;
          columnsVisibility?: {
            [key: string]: boolean;
          } | undefined;
          columnsWidth?: {
            [key: string]: number;
          } | Array<unknown> | undefined;
        } | null | undefined;
        publicId?: string | null | undefined;
        customDomain?: string | null | undefined;
        editor?: {
          [key: string]: unknown;
        } | null | undefined;
        id?: unknown | undefined;
        workspaceId?: unknown | undefined;
        createdAt?: unknown | undefined;
        updatedAt?: unknown | undefined;
        isArchived?: unknown | undefined;
        isClosed?: unknown | undefined;
        riskLevel?: unknown | undefined;
        messengerCredentialsId?: unknown | undefined;
        revision?: unknown | undefined;
      };
      enableSafetyFlags?: boolean | undefined;
    };
    answer: {
      bot: Bot;
      report: ImportReport;
    };
  };
  "POST /api/v1/bots/import/check": {
    path: undefined;
    query: undefined;
    body: {
      workspaceId: string;
      bot: {
        version?: "3" | "4" | "5" | "6" | "6.1" | null | undefined;
        events?: Array<FlowEvent> | null | undefined;
        groups?: Array<Group> | undefined;
        edges?: Array<Edge> | undefined;
        variables?: Array<Variable> | undefined;
        theme?: Theme | undefined;
        settings?: Settings | undefined;
        name?: string | undefined;
        icon?: string | null | undefined;
        folderId?: string | null | undefined;
        selectedThemeTemplateId?: string | null | undefined;
        resultsTablePreferences?: {
          columnsOrder?: Array<string> | undefined;
          columnsVisibility?: {
            [key: string]: boolean;
          } | undefined;
          columnsWidth?: {
            [key: string]: number;
          } | Array<unknown> | undefined;
        } | null | undefined;
        publicId?: string | null | undefined;
        customDomain?: string | null | undefined;
        editor?: {
          [key: string]: unknown;
        } | null | undefined;
        id?: unknown | undefined;
        workspaceId?: unknown | undefined;
        createdAt?: unknown | undefined;
        updatedAt?: unknown | undefined;
        isArchived?: unknown | undefined;
        isClosed?: unknown | undefined;
        riskLevel?: unknown | undefined;
        messengerCredentialsId?: unknown | undefined;
        revision?: unknown | undefined;
      };
    };
    answer: {
      name: string;
      groupCount: number;
      report: ImportReport;
    };
  };
  "POST /api/v1/bots/:botId/import": {
    path: { "botId": string };
    query: undefined;
    body: {
      bot: {
        version?: "3" | "4" | "5" | "6" | "6.1" | null | undefined;
        events?: Array<FlowEvent> | null | undefined;
        groups?: Array<Group> | undefined;
        edges?: Array<Edge> | undefined;
        variables?: Array<Variable> | undefined;
        theme?: Theme | undefined;
        settings?: Settings | undefined;
        name?: string | undefined;
        icon?: string | null | undefined;
        folderId?: string | null | undefined;
        selectedThemeTemplateId?: string | null | undefined;
        resultsTablePreferences?: {
          columnsOrder?: Array<string> | undefined;
          columnsVisibility?: {
            [key: string]: boolean;
          } | undefined;
          columnsWidth?: {
            [key: string]: number;
          } | Array<unknown> | undefined;
        } | null | undefined;
        publicId?: string | null | undefined;
        customDomain?: string | null | undefined;
        editor?: {
          [key: string]: unknown;
        } | null | undefined;
        id?: unknown | undefined;
        workspaceId?: unknown | undefined;
        createdAt?: unknown | undefined;
        updatedAt?: unknown | undefined;
        isArchived?: unknown | undefined;
        isClosed?: unknown | undefined;
        riskLevel?: unknown | undefined;
        messengerCredentialsId?: unknown | undefined;
        revision?: unknown | undefined;
      };
      enableSafetyFlags?: boolean | undefined;
      updatedAt?: string | undefined;
    };
    answer: {
      bot: Bot;
      report: ImportReport;
      replacedNumber: number;
    };
  };
  "GET /api/v1/bots/:botId/export": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: BotFile;
  };
  "POST /api/v1/bots/:botId/move": {
    path: { "botId": string };
    query: undefined;
    body: {
      workspaceId?: string | undefined;
      folderId?: string | null | undefined;
    };
    answer: {
      bot: Bot;
      lostCustomDomain: string | null;
      missingCredentials: Array<{
        groupId: string;
        blockId: string;
        id: string;
      }>;
      missingBots: Array<{
        groupId: string;
        blockId: string;
        id: string;
      }>;
    };
  };
  "POST /api/v1/bots/:botId/duplicate": {
    path: { "botId": string };
    query: undefined;
    body: {
      name?: string | undefined;
      folderId?: string | null | undefined;
      withResults?: boolean | undefined;
    };
    answer: {
      bot: Bot;
      copiedResults: number;
    };
  };
  "POST /api/v1/bots/bulk": {
    path: undefined;
    query: undefined;
    body: {
      action: "archive" | "move" | "delete";
      botIds: Array<string>;
      workspaceId?: string | undefined;
      folderId?: string | null | undefined;
    };
    answer: {
      message: "success";
      count: number;
    };
  };
  "GET /api/v1/bots/:botId/linkedBots": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: {
      bots: Array<{
        id: string;
        name: string;
        version: "3" | "4" | "5" | "6" | "6.1";
        groups: Array<Group>;
        variables: Array<Variable>;
      }>;
      missingBots: Array<{
        groupId: string;
        blockId: string;
        id: string;
      }>;
      linkedFrom: Array<{
        id: string;
        name: string;
      }>;
    };
  };
  "POST /api/v1/bots/:botId/archive": {
    path: { "botId": string };
    query: undefined;
    body: Record<string, never>;
    answer: {
      bot: Bot;
    };
  };
  "POST /api/v1/bots/:botId/restore": {
    path: { "botId": string };
    query: undefined;
    body: Record<string, never>;
    answer: {
      bot: Bot;
      lostPublicId: string | null;
      lostCustomDomain: string | null;
    };
  };
  "POST /api/v1/bots/:botId/erase": {
    path: { "botId": string };
    query: undefined;
    body: Record<string, never>;
    answer: {
      message: "success";
      isErased: boolean;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/bin": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      entries: Array<BinEntry>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/folders/:folderId/restore": {
    path: { "folderId": string };
    query: undefined;
    body: Record<string, never>;
    answer: {
      folder: Folder;
      lost: Array<{
        id: string;
        lostPublicId: string | null;
        lostCustomDomain: string | null;
      }>;
    };
  };
  "POST /api/v1/folders/:folderId/erase": {
    path: { "folderId": string };
    query: undefined;
    body: Record<string, never>;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/workspaces/bin": {
    path: undefined;
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      workspaces: Array<{
        id: string;
        name: string;
        icon: string | null;
        deletedAt: string;
        erasedAt: string;
      }>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/restore": {
    path: { "workspaceId": string };
    query: undefined;
    body: Record<string, never>;
    answer: {
      workspace: {
        id: string;
        name: string;
      };
      lost: Array<{
        id: string;
        lostPublicId: string | null;
        lostCustomDomain: string | null;
      }>;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/erase": {
    path: { "workspaceId": string };
    query: undefined;
    body: Record<string, never>;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/bots/:botId/results/bin": {
    path: { "botId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      results: Array<DeletedResult>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/bots/:botId/results/restore": {
    path: { "botId": string };
    query: undefined;
    body: {
      resultIds?: string | Array<string> | undefined;
      all?: boolean | undefined;
    };
    answer: {
      restoredCount: number;
      isComplete: boolean;
    };
  };
  "POST /api/v1/bots/:botId/results/erase": {
    path: { "botId": string };
    query: undefined;
    body: {
      resultIds?: string | Array<string> | undefined;
      all?: boolean | undefined;
    };
    answer: {
      erasedCount: number;
      isComplete: boolean;
    };
  };
  "POST /api/v1/bots/:botId/publish": {
    path: { "botId": string };
    query: undefined;
    body: {
      percent?: number | null | undefined;
      note?: string | null | undefined;
      runningChats?: "finish" | "move" | undefined;
      revision?: number | undefined;
      force?: boolean | null | undefined;
    };
    answer: {
      message: "success";
      publishedBot: {
        id: string;
        version: "3" | "4" | "5" | "6" | "6.1";
        updatedAt: string;
      };
      number: number;
      publicId: string;
      updatedAt: string;
      warnings: Array<{
        rule: "no_start" | "empty_bot" | "unknown_edge" | "unknown_target" | "unknown_group" | "loop_without_input" | "missing_edge" | "empty_group" | "unreachable_group" | "dead_end" | "condition_never_holds" | "shadowed_condition" | "exploding_pattern" | "unknown_block_type" | "unknown_bot" | "credentials_missing" | "unknown_variable" | "read_before_written" | "expression_fails" | "refused_address" | "duplicate_item_id" | "advice" | "going_back_over_effects" | "unkept_answer" | "unused_edge" | "unknown_word" | "unknown_key" | "low_contrast";
        severity: "error" | "warning" | "info";
        path: string;
        message: string;
        advice: string;
        help: string;
        groupId?: string | undefined;
        blockId?: string | undefined;
        itemId?: string | undefined;
        edgeId?: string | undefined;
        eventId?: string | undefined;
        variableId?: string | undefined;
        variableName?: string | undefined;
        isFixable?: boolean | undefined;
      }>;
    };
  };
  "POST /api/v1/bots/:botId/unpublish": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/bots/:botId/publishedBot": {
    path: { "botId": string };
    query: { "migrateToLatestVersion"?: boolean | undefined };
    body: undefined;
    answer: {
      publishedBot: PublishedBot | null;
      version: "3" | "4" | "5" | "6" | "6.1";
    };
  };
  "GET /api/v1/bots/:botId/publications": {
    path: { "botId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      publications: Array<Publication>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/bots/:botId/publications/:number/publish": {
    path: { "botId": string; "number": string };
    query: undefined;
    body: {
      percent?: number | null | undefined;
      note?: string | null | undefined;
      runningChats?: "finish" | "move" | undefined;
    };
    answer: {
      message: "success";
      publishedBot: {
        id: string;
        version: "3" | "4" | "5" | "6" | "6.1";
        updatedAt: string;
      };
      number: number;
      publicId: string;
      updatedAt: string;
    };
  };
  "GET /api/v1/bots/:botId/publications/:number": {
    path: { "botId": string; "number": string };
    query: { "migrateToLatestVersion"?: boolean | undefined };
    body: undefined;
    answer: {
      publication: PublicationWithFlow;
    };
  };
  "GET /api/v1/bots/:botId/compare": {
    path: { "botId": string };
    query: { "from"?: string | undefined; "to"?: string | undefined; "withChanges"?: boolean | undefined };
    body: undefined;
    answer: {
      from: {
        number: number | null;
        hash: string;
        at: string;
      };
      to: {
        number: number | null;
        hash: string;
        at: string;
      };
      isSame: boolean;
      differences: Array<Difference>;
      changes?: Array<Change> | undefined;
    };
  };
  "POST /api/v1/bots/:botId/publications/:number/restore": {
    path: { "botId": string; "number": string };
    query: undefined;
    body: {
      updatedAt?: string | null | undefined;
    };
    answer: {
      bot: Bot;
      replacedNumber: number;
    };
  };
  "GET /api/v1/bots/:botId/runningChats": {
    path: { "botId": string };
    query: { "to"?: string | undefined };
    body: undefined;
    answer: {
      runningChats: {
        chats: number;
        moving: number;
        staying: number;
        isComplete: boolean;
        places: Array<{
          publicationNumber: number;
          blockId: string | null;
          chats: number;
          obstacle: "not_asking" | "linked_flow" | "input_removed" | "input_in_other_group" | "input_changed" | "way_back_removed" | "variable_removed" | null;
          message: string | null;
        }>;
      };
    };
  };
  "GET /api/v1/bots/:botId/testConversations": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: {
      testConversations: Array<ListedTestConversation>;
    };
  };
  "GET /api/v1/bots/:botId/testConversations/:name": {
    path: { "botId": string; "name": string };
    query: undefined;
    body: undefined;
    answer: {
      testConversation: StoredTestConversation;
    };
  };
  "PUT /api/v1/bots/:botId/testConversations/:name": {
    path: { "botId": string; "name": string };
    query: undefined;
    body: {
      conversation: TestConversation;
      isRequired?: boolean | undefined;
    };
    answer: {
      testConversation: StoredTestConversation;
    };
  };
  "DELETE /api/v1/bots/:botId/testConversations/:name": {
    path: { "botId": string; "name": string };
    query: undefined;
    body: undefined;
    answer: {
      name: string;
    };
  };
  "POST /api/v1/bots/:botId/testConversations/run": {
    path: { "botId": string };
    query: undefined;
    body: {
      names?: Array<string> | undefined;
      version?: string | undefined;
    };
    answer: {
      hasPassed: boolean;
      outcomes: Array<{
        name: string;
        title: string;
        hasPassed: boolean;
        problems: Array<{
          turn: number;
          part?: string | undefined;
          message: string;
          expected?: unknown | undefined;
          actual?: unknown | undefined;
        }>;
      }>;
      coverage: {
        blocks: {
          total: number;
          met: number;
          missed: Array<string>;
        };
        edges: {
          total: number;
          met: number;
          missed: Array<string>;
        };
        items: {
          total: number;
          met: number;
          missed: Array<string>;
        };
      };
    };
  };
  "POST /api/v1/bots/:botId/testConversations/record": {
    path: { "botId": string };
    query: undefined;
    body: {
      sessionId: string;
      title?: string | undefined;
    };
    answer: {
      conversation: TestConversation;
      problems: Array<{
        turn: number;
        part?: string | undefined;
        message: string;
        expected?: unknown | undefined;
        actual?: unknown | undefined;
      }>;
    };
  };
  "GET /api/v1/bots/:botId/canary": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: {
      canary: Canary | null;
    };
  };
  "PATCH /api/v1/bots/:botId/canary": {
    path: { "botId": string };
    query: undefined;
    body: {
      percent: number;
    };
    answer: {
      canary: Canary;
    };
  };
  "POST /api/v1/bots/:botId/canary/promote": {
    path: { "botId": string };
    query: undefined;
    body: {
      runningChats?: "finish" | "move" | undefined;
    };
    answer: {
      message: "success";
      number: number;
    };
  };
  "POST /api/v1/bots/:botId/canary/rollback": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: "success";
      number: number;
    };
  };
  "POST /api/v1/bots/:botId/lint": {
    path: { "botId": string };
    query: undefined;
    body: {
      number?: number | null | undefined;
      bot?: SuppliedFlow | undefined;
    };
    answer: {
      findings: Array<{
        rule: "no_start" | "empty_bot" | "unknown_edge" | "unknown_target" | "unknown_group" | "loop_without_input" | "missing_edge" | "empty_group" | "unreachable_group" | "dead_end" | "condition_never_holds" | "shadowed_condition" | "exploding_pattern" | "unknown_block_type" | "unknown_bot" | "credentials_missing" | "unknown_variable" | "read_before_written" | "expression_fails" | "refused_address" | "duplicate_item_id" | "advice" | "going_back_over_effects" | "unkept_answer" | "unused_edge" | "unknown_word" | "unknown_key" | "low_contrast";
        severity: "error" | "warning" | "info";
        path: string;
        message: string;
        advice: string;
        help: string;
        groupId?: string | undefined;
        blockId?: string | undefined;
        itemId?: string | undefined;
        edgeId?: string | undefined;
        eventId?: string | undefined;
        variableId?: string | undefined;
        variableName?: string | undefined;
        isFixable?: boolean | undefined;
      }>;
      errors: number;
      warnings: number;
      infos: number;
      linkedFrom: Array<{
        groupId: string | null;
      }> | null;
    };
  };
  "POST /api/v1/bots/:botId/impact": {
    path: { "botId": string };
    query: undefined;
    body: {
      version?: string | undefined;
      bot?: SuppliedFlow | undefined;
      last?: number | undefined;
    };
    answer: {
      results: number;
      same: number;
      changed: number;
      diverging: number;
      notReplayable: Array<{
        reason: "expired" | "inputs_not_kept" | "report_cut" | "too_large" | "version_gone" | "not_reproducible";
        message: string;
        chats: number;
      }>;
      isComplete: boolean;
      places: Array<ImpactPlace>;
      hasMorePlaces: boolean;
    };
  };
  "GET /api/v1/bots/:botId/collaborators": {
    path: { "botId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      collaborators: Array<Collaborator>;
      nextCursor?: string | undefined;
    };
  };
  "PUT /api/v1/bots/:botId/collaborators": {
    path: { "botId": string };
    query: undefined;
    body: {
      email: string;
      type: "READ" | "WRITE";
    };
    answer: {
      collaborator: Collaborator | null;
      invitation: NewInvitation | null;
    };
  };
  "PUT /api/v1/bots/:botId/collaborators/:userId": {
    path: { "botId": string; "userId": string };
    query: undefined;
    body: {
      type: "READ" | "WRITE";
    };
    answer: {
      collaborator: Collaborator;
    };
  };
  "DELETE /api/v1/bots/:botId/collaborators/:userId": {
    path: { "botId": string; "userId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/bots/:botId/invitations": {
    path: { "botId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      invitations: Array<Invitation>;
      nextCursor?: string | undefined;
    };
  };
  "DELETE /api/v1/bots/:botId/invitations/:invitationId": {
    path: { "botId": string; "invitationId": string };
    query: undefined;
    body: undefined;
    answer: {
      invitation: Invitation;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/custom-domains": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      customDomains: Array<CustomDomain>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/custom-domains": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      name: string;
    };
    answer: {
      customDomain: CustomDomain;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/custom-domains/:customDomainId": {
    path: { "workspaceId": string; "customDomainId": string };
    query: undefined;
    body: undefined;
    answer: {
      customDomain: CustomDomain;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId/custom-domains/:customDomainId": {
    path: { "workspaceId": string; "customDomainId": string };
    query: undefined;
    body: undefined;
    answer: {
      customDomain: CustomDomain;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/custom-domains/:customDomainId/verify": {
    path: { "workspaceId": string; "customDomainId": string };
    query: undefined;
    body: undefined;
    answer: {
      customDomain: CustomDomain;
    };
  };
  "GET /api/v1/domains/allowed": {
    path: undefined;
    query: { "domain": string };
    body: undefined;
    answer: {
      domain: string;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/model-budget": {
    path: { "workspaceId": string };
    query: undefined;
    body: undefined;
    answer: {
      modelBudget: ModelBudget;
    };
  };
  "PUT /api/v1/workspaces/:workspaceId/model-budget": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      day?: {
        tokens?: number | null | undefined;
        money?: number | null | undefined;
      } | undefined;
      month?: {
        tokens?: number | null | undefined;
        money?: number | null | undefined;
      } | undefined;
      keepModelCallsDays?: number | undefined;
    };
    answer: {
      modelBudget: ModelBudget;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/model-prices": {
    path: { "workspaceId": string };
    query: undefined;
    body: undefined;
    answer: {
      prices: Array<ModelPrice>;
    };
  };
  "PUT /api/v1/workspaces/:workspaceId/model-prices": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      prices: Array<{
        type: "openai" | "anthropic" | "mistral" | "groq" | "deepseek" | "perplexity" | "open-router" | "together-ai";
        model: string;
        in: number;
        cached?: number | undefined;
        out: number;
      }>;
    };
    answer: {
      prices: Array<ModelPrice>;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/model-usage": {
    path: { "workspaceId": string };
    query: { "from"?: string | undefined; "to"?: string | undefined; "groupBy"?: "day" | "bot" | "model" | undefined };
    body: undefined;
    answer: {
      usage: Array<ModelUsage>;
      total: {
        from: string;
        to: string;
        calls: number;
        tokensIn: number;
        tokensCached: number;
        tokensOut: number;
        money: number | null;
      };
    };
  };
  "GET /api/v1/bots/:botId/results/:resultId/model-calls": {
    path: { "botId": string; "resultId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      modelCalls: Array<ModelCall>;
      nextCursor?: string | undefined;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/credentials": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      credentials: Array<ListedCredentials>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/credentials": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      type: "openai" | "anthropic" | "mistral" | "groq" | "deepseek" | "perplexity" | "open-router" | "together-ai" | "smtp";
      name: string;
      data: {
        apiKey?: string | null | {
          isSet: boolean;
          ends?: string | undefined;
        } | undefined;
        baseUrl?: string | null | undefined;
        host?: string | null | undefined;
        port?: number | null | undefined;
        isTlsEnabled?: boolean | null | undefined;
        username?: string | null | undefined;
        password?: string | null | {
          isSet: boolean;
          ends?: string | undefined;
        } | undefined;
        from?: {
          name?: string | undefined;
          email: string;
        } | null | undefined;
      };
    };
    answer: {
      credentials: Credentials;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/credentials/:credentialsId": {
    path: { "workspaceId": string; "credentialsId": string };
    query: undefined;
    body: undefined;
    answer: {
      credentials: Credentials;
    };
  };
  "PATCH /api/v1/workspaces/:workspaceId/credentials/:credentialsId": {
    path: { "workspaceId": string; "credentialsId": string };
    query: undefined;
    body: {
      name?: string | undefined;
      data?: {
        apiKey?: string | null | {
          isSet: boolean;
          ends?: string | undefined;
        } | undefined;
        baseUrl?: string | null | undefined;
        host?: string | null | undefined;
        port?: number | null | undefined;
        isTlsEnabled?: boolean | null | undefined;
        username?: string | null | undefined;
        password?: string | null | {
          isSet: boolean;
          ends?: string | undefined;
        } | undefined;
        from?: {
          name?: string | undefined;
          email: string;
        } | null | undefined;
      } | undefined;
    };
    answer: {
      credentials: Credentials;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId/credentials/:credentialsId": {
    path: { "workspaceId": string; "credentialsId": string };
    query: undefined;
    body: undefined;
    answer: {
      credentials: Credentials;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/credentials/:credentialsId/test": {
    path: { "workspaceId": string; "credentialsId": string };
    query: undefined;
    body: undefined;
    answer: {
      test: {
        isAccepted: boolean;
        status: number | null;
        message: string;
      };
    };
  };
  "GET /api/v1/workspaces/:workspaceId/credentials/:credentialsId/models": {
    path: { "workspaceId": string; "credentialsId": string };
    query: undefined;
    body: undefined;
    answer: {
      models: Array<string>;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/secrets": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      secrets: Array<Secret>;
      nextCursor?: string | undefined;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/secrets/:name": {
    path: { "workspaceId": string; "name": string };
    query: undefined;
    body: undefined;
    answer: {
      secret: Secret;
    };
  };
  "PUT /api/v1/workspaces/:workspaceId/secrets/:name": {
    path: { "workspaceId": string; "name": string };
    query: undefined;
    body: {
      value?: string | undefined;
      hosts?: Array<string> | null | undefined;
      note?: string | null | undefined;
    };
    answer: {
      secret: Secret;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId/secrets/:name": {
    path: { "workspaceId": string; "name": string };
    query: undefined;
    body: undefined;
    answer: {
      secret: Secret;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/theme-templates": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      themeTemplates: Array<ThemeTemplate>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/theme-templates": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      name: string;
      theme: {
        [key: string]: unknown;
      };
    };
    answer: {
      themeTemplate: ThemeTemplate;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId": {
    path: { "workspaceId": string; "themeTemplateId": string };
    query: undefined;
    body: undefined;
    answer: {
      themeTemplate: ThemeTemplate;
    };
  };
  "PATCH /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId": {
    path: { "workspaceId": string; "themeTemplateId": string };
    query: undefined;
    body: {
      name?: string | undefined;
      theme?: {
        [key: string]: unknown;
      } | undefined;
    };
    answer: {
      themeTemplate: ThemeTemplate;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId/theme-templates/:themeTemplateId": {
    path: { "workspaceId": string; "themeTemplateId": string };
    query: undefined;
    body: undefined;
    answer: {
      themeTemplate: ThemeTemplate;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/files": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      files: Array<WorkspaceFile>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/files": {
    path: { "workspaceId": string };
    query: { "name": string };
    body: undefined;
    answer: {
      workspaceFile: WorkspaceFile;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId/files/:fileId": {
    path: { "workspaceId": string; "fileId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/bots/:botId/results": {
    path: { "botId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined; "timeFilter"?: "today" | "last7Days" | "last30Days" | "monthToDate" | "lastMonth" | "yearToDate" | "allTime" | undefined; "timeZone"?: string | undefined; "from"?: string | undefined; "to"?: string | undefined; "isCompleted"?: boolean | undefined; "hasStarted"?: boolean | undefined; "version"?: number | undefined; "tag"?: string | undefined; "variables.NAME"?: string | undefined; "variablePrefixes.NAME"?: string | undefined; "answer"?: string | undefined; "order"?: "newest" | "oldest" | undefined; "withTotals"?: boolean | undefined };
    body: undefined;
    answer: {
      results: Array<Result>;
      totals?: ResultTotals | undefined;
      nextCursor?: string | undefined;
    };
  };
  "DELETE /api/v1/bots/:botId/results": {
    path: { "botId": string };
    query: { "resultIds"?: string | undefined; "all"?: boolean | undefined };
    body: {
      resultIds?: string | Array<string> | undefined;
      all?: boolean | undefined;
    };
    answer: {
      deletedCount: number;
      isComplete: boolean;
    };
  };
  "GET /api/v1/bots/:botId/results/:resultId": {
    path: { "botId": string; "resultId": string };
    query: undefined;
    body: undefined;
    answer: {
      result: Result;
    };
  };
  "PATCH /api/v1/bots/:botId/results/:resultId": {
    path: { "botId": string; "resultId": string };
    query: undefined;
    body: {
      tags?: Array<string> | undefined;
      note?: string | null | undefined;
    };
    answer: {
      result: Result;
    };
  };
  "DELETE /api/v1/bots/:botId/results/:resultId": {
    path: { "botId": string; "resultId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/bots/:botId/results/:resultId/logs": {
    path: { "botId": string; "resultId": string };
    query: undefined;
    body: undefined;
    answer: {
      logs: Array<ResultLog>;
    };
  };
  "GET /api/v1/bots/:botId/results/export": {
    path: { "botId": string };
    query: { "format"?: "csv" | "ndjson" | "xlsx" | undefined; "timeFilter"?: "today" | "last7Days" | "last30Days" | "monthToDate" | "lastMonth" | "yearToDate" | "allTime" | undefined; "timeZone"?: string | undefined; "from"?: string | undefined; "to"?: string | undefined; "isCompleted"?: boolean | undefined; "hasStarted"?: boolean | undefined; "version"?: number | undefined; "tag"?: string | undefined; "variables.NAME"?: string | undefined; "variablePrefixes.NAME"?: string | undefined; "answer"?: string | undefined; "order"?: "newest" | "oldest" | undefined };
    body: undefined;
    answer: undefined;
  };
  "POST /api/v1/bots/:botId/result-exports": {
    path: { "botId": string };
    query: undefined;
    body: {
      format?: "csv" | "ndjson" | "xlsx" | undefined;
      timeFilter?: "today" | "last7Days" | "last30Days" | "monthToDate" | "lastMonth" | "yearToDate" | "allTime" | undefined;
      timeZone?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
      isCompleted?: boolean | undefined;
      hasStarted?: boolean | undefined;
      version?: number | undefined;
      tag?: string | undefined;
      variables?: {
        [key: string]: string;
      } | undefined;
      variablePrefixes?: {
        [key: string]: string;
      } | undefined;
      answer?: string | undefined;
      order?: "newest" | "oldest" | undefined;
    };
    answer: {
      resultExport: ResultExport;
    };
  };
  "GET /api/v1/bots/:botId/result-exports": {
    path: { "botId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      resultExports: Array<ResultExport>;
      nextCursor?: string | undefined;
    };
  };
  "GET /api/v1/bots/:botId/result-exports/:exportId": {
    path: { "botId": string; "exportId": string };
    query: undefined;
    body: undefined;
    answer: {
      resultExport: ResultExport;
    };
  };
  "DELETE /api/v1/bots/:botId/result-exports/:exportId": {
    path: { "botId": string; "exportId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/bots/:botId/result-exports/:exportId/file": {
    path: { "botId": string; "exportId": string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  "GET /api/v1/bots/:botId/results/retention": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: {
      retention: ResultRetention;
    };
  };
  "PUT /api/v1/bots/:botId/results/retention": {
    path: { "botId": string };
    query: undefined;
    body: {
      days: number | null;
    };
    answer: {
      retention: ResultRetention;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/person-erasures": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      variable: string;
      value: string;
    };
    answer: {
      personErasure: PersonErasure;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/person-erasures": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      personErasures: Array<PersonErasure>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/bots/:botId/results/import": {
    path: { "botId": string };
    query: undefined;
    body: {
      source: string;
      results: Array<{
        id: string;
        createdAt: string;
        variables?: Array<{
          id: string;
          name: string;
          value: string | Array<string | null>;
        }> | undefined;
        hasStarted?: boolean | null | undefined;
        isCompleted?: boolean | undefined;
        answers?: Array<{
          createdAt?: string | undefined;
          blockId: string;
          groupId?: string | null | undefined;
          variableId?: string | null | undefined;
          content: string;
          attachedFileUrls?: Array<string> | null | undefined;
        }> | undefined;
      }>;
    };
    answer: {
      added: number;
      known: number;
    };
  };
  "GET /api/v1/bots/:botId/results/:resultId/transcript": {
    path: { "botId": string; "resultId": string };
    query: { "format"?: "json" | "text" | undefined };
    body: undefined;
    answer: {
      transcript: Array<Utterance>;
      isComplete: boolean;
    };
  };
  "GET /api/v1/bots/:botId/insight": {
    path: { "botId": string };
    query: { "timeFilter"?: "today" | "last7Days" | "last30Days" | "monthToDate" | "lastMonth" | "yearToDate" | "allTime" | undefined; "timeZone"?: string | undefined; "from"?: string | undefined; "to"?: string | undefined; "version"?: number | undefined };
    body: undefined;
    answer: {
      insight: Insight;
    };
  };
  "GET /api/v1/bots/:botId/analytics/stats": {
    path: { "botId": string };
    query: { "timeFilter"?: "today" | "last7Days" | "last30Days" | "monthToDate" | "lastMonth" | "yearToDate" | "allTime" | undefined; "timeZone"?: string | undefined; "from"?: string | undefined; "to"?: string | undefined };
    body: undefined;
    answer: {
      stats: {
        totalViews: number;
        totalStarts: number;
        totalCompleted: number;
      };
    };
  };
  "GET /api/v1/bots/:botId/analytics/inDepthData": {
    path: { "botId": string };
    query: { "timeFilter"?: "today" | "last7Days" | "last30Days" | "monthToDate" | "lastMonth" | "yearToDate" | "allTime" | undefined; "timeZone"?: string | undefined; "from"?: string | undefined; "to"?: string | undefined };
    body: undefined;
    answer: {
      totalAnswers: Array<{
        blockId: string;
        total: number;
      }>;
      offDefaultPathVisitedEdges: Array<{
        id: string;
        total: number;
        to: {
          groupId: string;
          blockId?: string | undefined;
        } | null;
      }>;
    };
  };
  "POST /api/v1/sign-in/token": {
    path: undefined;
    query: undefined;
    body: {
      token: string;
    };
    answer: {
      user: {
        id: string;
        name: string;
        email: string | null;
      };
      isNew: boolean;
    };
  };
  "POST /api/v1/sign-in/link": {
    path: undefined;
    query: undefined;
    body: {
      secret: string;
    };
    answer: {
      user: {
        id: string;
        name: string;
        email: string | null;
      };
      isNew: boolean;
    };
  };
  "POST /api/v1/sign-in/email": {
    path: undefined;
    query: undefined;
    body: {
      email: string;
    };
    answer: {
      codeMinutes: number;
    };
  };
  "POST /api/v1/sign-in/email-code": {
    path: undefined;
    query: undefined;
    body: {
      email: string;
      code: string;
    };
    answer: {
      user: {
        id: string;
        name: string;
        email: string | null;
      };
      isNew: boolean;
    };
  };
  "POST /api/v1/sign-out": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      signIn: SignIn;
    };
  };
  "GET /api/v1/users/me/sign-ins": {
    path: undefined;
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      signIns: Array<SignIn>;
      nextCursor?: string | undefined;
    };
  };
  "DELETE /api/v1/users/me/sign-ins/:signInId": {
    path: { "signInId": string };
    query: undefined;
    body: undefined;
    answer: {
      signIn: SignIn;
    };
  };
  "GET /api/v1/users/me": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      user: OwnUser;
    };
  };
  "PATCH /api/v1/users/me": {
    path: undefined;
    query: undefined;
    body: {
      name?: string | undefined;
      email?: string | null | undefined;
      emailCode?: string | undefined;
      preferences?: {
        [key: string]: unknown;
      } | undefined;
    };
    answer: {
      user: OwnUser;
      isCodeSent: boolean;
    };
  };
  "GET /api/v1/users": {
    path: undefined;
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      users: Array<User>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/users": {
    path: undefined;
    query: undefined;
    body: {
      name: string;
      email?: string | null | undefined;
    };
    answer: {
      user: User;
      apiToken: FirstToken;
    };
  };
  "GET /api/v1/users/:userId": {
    path: { "userId": string };
    query: undefined;
    body: undefined;
    answer: {
      user: User;
    };
  };
  "PATCH /api/v1/users/:userId": {
    path: { "userId": string };
    query: undefined;
    body: {
      name?: string | undefined;
      email?: string | null | undefined;
    };
    answer: {
      user: User;
    };
  };
  "POST /api/v1/users/:userId/deactivate": {
    path: { "userId": string };
    query: undefined;
    body: {
      successorId?: string | null | undefined;
    };
    answer: {
      user: User;
    };
  };
  "POST /api/v1/users/:userId/activate": {
    path: { "userId": string };
    query: undefined;
    body: undefined;
    answer: {
      user: User;
    };
  };
  "GET /api/v1/users/me/api-tokens": {
    path: undefined;
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      apiTokens: Array<ApiToken>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/users/me/api-tokens": {
    path: undefined;
    query: undefined;
    body: {
      name: string;
      scope?: "read" | "write" | "admin" | undefined;
      workspaceId?: string | null | undefined;
      expiresAt?: string | null | undefined;
    };
    answer: {
      apiToken: NewApiToken;
    };
  };
  "DELETE /api/v1/users/me/api-tokens/:tokenId": {
    path: { "tokenId": string };
    query: undefined;
    body: undefined;
    answer: {
      apiToken: ApiToken;
    };
  };
  "GET /api/v1/users/:userId/api-tokens": {
    path: { "userId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      apiTokens: Array<ApiToken>;
      nextCursor?: string | undefined;
    };
  };
  "DELETE /api/v1/users/:userId/api-tokens/:tokenId": {
    path: { "userId": string; "tokenId": string };
    query: undefined;
    body: undefined;
    answer: {
      apiToken: ApiToken;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/audit": {
    path: { "workspaceId": string };
    query: { "userId"?: string | undefined; "tokenId"?: string | undefined; "operation"?: string | undefined; "subject"?: "member" | "collaborator" | "invitation" | "apiToken" | "eventEndpoint" | "credentials" | "customDomain" | "secret" | "themeTemplate" | "workspaceFile" | "folder" | "bot" | "workspace" | "user" | undefined; "subjectId"?: string | undefined; "from"?: string | undefined; "to"?: string | undefined; "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      entries: Array<AuditEntry>;
      nextCursor?: string | undefined;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/audit/export": {
    path: { "workspaceId": string };
    query: { "userId"?: string | undefined; "tokenId"?: string | undefined; "operation"?: string | undefined; "subject"?: "member" | "collaborator" | "invitation" | "apiToken" | "eventEndpoint" | "credentials" | "customDomain" | "secret" | "themeTemplate" | "workspaceFile" | "folder" | "bot" | "workspace" | "user" | undefined; "subjectId"?: string | undefined; "from"?: string | undefined; "to"?: string | undefined };
    body: undefined;
    answer: undefined;
  };
  "GET /api/v1/audit": {
    path: undefined;
    query: { "workspaceId"?: string | undefined; "userId"?: string | undefined; "tokenId"?: string | undefined; "operation"?: string | undefined; "subject"?: "member" | "collaborator" | "invitation" | "apiToken" | "eventEndpoint" | "credentials" | "customDomain" | "secret" | "themeTemplate" | "workspaceFile" | "folder" | "bot" | "workspace" | "user" | undefined; "subjectId"?: string | undefined; "from"?: string | undefined; "to"?: string | undefined; "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      entries: Array<AuditEntry>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/bots/:botId/startChat": {
    path: { "botId": string };
    query: undefined;
    body: {
      message?: string | null | TextReply | AudioReply | CommandReply | undefined;
      isStreamEnabled?: boolean | undefined;
      isOnlyRegistering?: boolean | undefined;
      prefilledVariables?: {
        [key: string]: unknown;
      } | undefined;
      textBubbleContentFormat?: "richText" | "markdown" | undefined;
      resultId?: string | null | undefined;
    };
    answer: StartedChat;
  };
  "POST /api/v1/bots/:botId/preview/startChat": {
    path: { "botId": string };
    query: undefined;
    body: {
      message?: string | null | TextReply | AudioReply | CommandReply | undefined;
      isStreamEnabled?: boolean | undefined;
      isOnlyRegistering?: boolean | undefined;
      prefilledVariables?: {
        [key: string]: unknown;
      } | undefined;
      textBubbleContentFormat?: "richText" | "markdown" | undefined;
      bot?: SuppliedFlow | undefined;
      startFrom?: null | StartFromGroup | StartFromEvent | StartFromBlock | undefined;
      isTraced?: boolean | undefined;
    };
    answer: StartedPreview;
  };
  "POST /api/v1/sessions/:sessionId/continueChat": {
    path: { "sessionId": string };
    query: undefined;
    body: {
      message?: string | null | TextReply | AudioReply | CommandReply | undefined;
      textBubbleContentFormat?: "richText" | "markdown" | undefined;
    };
    answer: Step;
  };
  "POST /api/v1/sessions/:sessionId/goBack": {
    path: { "sessionId": string };
    query: undefined;
    body: undefined;
    answer: StepBack;
  };
  "GET /api/v1/sessions/:sessionId": {
    path: { "sessionId": string };
    query: undefined;
    body: undefined;
    answer: {
      session: Session;
    };
  };
  "POST /api/v1/sessions/:sessionId/clientLogs": {
    path: { "sessionId": string };
    query: undefined;
    body: {
      clientLogs: Array<{
        status?: string | undefined;
        description: string;
        details?: unknown | undefined;
        context?: string | undefined;
      }>;
    };
    answer: {
      message: string;
    };
  };
  "POST /api/v1/sessions/:sessionId/stopAnswer": {
    path: { "sessionId": string };
    query: undefined;
    body: undefined;
    answer: {
      isStopping: boolean;
    };
  };
  "POST /api/v1/bots/:botId/publications/:number/startChat": {
    path: { "botId": string; "number": string };
    query: undefined;
    body: {
      message?: string | null | TextReply | AudioReply | CommandReply | undefined;
      isStreamEnabled?: boolean | undefined;
      isOnlyRegistering?: boolean | undefined;
      prefilledVariables?: {
        [key: string]: unknown;
      } | undefined;
      textBubbleContentFormat?: "richText" | "markdown" | undefined;
    };
    answer: StartedChat;
  };
  "POST /api/v1/sessions/:sessionId/updateBot": {
    path: { "sessionId": string };
    query: undefined;
    body: undefined;
    answer: {
      message: "success";
    };
  };
  "GET /api/v1/sessions/:sessionId/trace": {
    path: { "sessionId": string };
    query: { "after"?: number | undefined };
    body: undefined;
    answer: {
      steps: Array<TracedStep>;
      hasMore: boolean;
    };
  };
  "PUT /api/v1/sessions/:sessionId/variables": {
    path: { "sessionId": string };
    query: undefined;
    body: {
      variables: {
        [key: string]: string | Array<string | null> | number | boolean | null;
      };
    };
    answer: Step;
  };
  "POST /api/v1/bots/:botId/blocks/:blockId/results/:resultId/executeWebhook": {
    path: { "botId": string; "blockId": string; "resultId": string };
    query: undefined;
    body: {
      [key: string]: unknown;
    };
    answer: {
      message: string;
    };
  };
  "GET /api/v1/bots/:botId/webhookBlocks": {
    path: { "botId": string };
    query: undefined;
    body: undefined;
    answer: {
      webhookBlocks: Array<HttpBlock>;
    };
  };
  "GET /api/v1/bots/:botId/webhookBlocks/:blockId/getResultExample": {
    path: { "botId": string; "blockId": string };
    query: undefined;
    body: undefined;
    answer: {
      resultExample: {
        [key: string]: string;
      };
    };
  };
  "POST /api/v1/bots/:botId/webhookBlocks/:blockId/subscribe": {
    path: { "botId": string; "blockId": string };
    query: undefined;
    body: {
      url: string;
    };
    answer: {
      id: string;
      url: string;
    };
  };
  "POST /api/v1/bots/:botId/webhookBlocks/:blockId/unsubscribe": {
    path: { "botId": string; "blockId": string };
    query: undefined;
    body: undefined;
    answer: {
      id: string;
      url: null;
    };
  };
  "POST /api/v1/bots/:botId/blocks/:blockId/testCall": {
    path: { "botId": string; "blockId": string };
    query: undefined;
    body: {
      variables?: {
        [key: string]: string | Array<string | null>;
      } | undefined;
    };
    answer: {
      request: {
        method: string;
        url: string;
        headers: Array<{
          name: string;
          value: string;
        }>;
        body: string | null;
      };
      outcome: "answered" | "refused" | "unreachable" | "timedOut";
      refusal: {
        reason: string;
        setting: "OUTGOING_ALLOW" | null;
      } | null;
      statusCode: number;
      data: unknown;
      headers: Array<{
        name: string;
        value: string;
      }>;
      isCut: boolean;
      durationMs: number;
      variables: Array<{
        id: string;
        name: string;
        value: string | Array<string | null> | null;
      }>;
    };
  };
  "POST /api/v1/bots/:botId/blocks/:blockId/web/executeTestWebhook": {
    path: { "botId": string; "blockId": string };
    query: undefined;
    body: {
      [key: string]: unknown;
    };
    answer: {
      message: string;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/event-endpoints": {
    path: { "workspaceId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined };
    body: undefined;
    answer: {
      eventEndpoints: Array<EventEndpoint>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/event-endpoints": {
    path: { "workspaceId": string };
    query: undefined;
    body: {
      url: string;
      description?: string | null | undefined;
      eventTypes?: Array<"result.started" | "result.answered" | "result.completed" | "bot.published" | "results.exported" | "budget.reached"> | undefined;
      isEnabled?: boolean | undefined;
      maxConcurrency?: number | undefined;
      batchSize?: number | undefined;
    };
    answer: {
      eventEndpoint: NewEventEndpoint;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId": {
    path: { "workspaceId": string; "endpointId": string };
    query: undefined;
    body: undefined;
    answer: {
      eventEndpoint: EventEndpoint;
    };
  };
  "PATCH /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId": {
    path: { "workspaceId": string; "endpointId": string };
    query: undefined;
    body: {
      url?: string | undefined;
      description?: string | null | undefined;
      eventTypes?: Array<"result.started" | "result.answered" | "result.completed" | "bot.published" | "results.exported" | "budget.reached"> | undefined;
      isEnabled?: boolean | undefined;
      maxConcurrency?: number | undefined;
      batchSize?: number | undefined;
    };
    answer: {
      eventEndpoint: EventEndpoint;
    };
  };
  "DELETE /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId": {
    path: { "workspaceId": string; "endpointId": string };
    query: undefined;
    body: undefined;
    answer: {
      eventEndpoint: EventEndpoint;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/rotate-secret": {
    path: { "workspaceId": string; "endpointId": string };
    query: undefined;
    body: undefined;
    answer: {
      eventEndpoint: NewEventEndpoint;
    };
  };
  "GET /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries": {
    path: { "workspaceId": string; "endpointId": string };
    query: { "limit"?: number | undefined; "cursor"?: string | undefined; "status"?: "pending" | "delivered" | "failed" | undefined };
    body: undefined;
    answer: {
      deliveries: Array<EventDelivery>;
      nextCursor?: string | undefined;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/deliveries/:deliveryId/redeliver": {
    path: { "workspaceId": string; "endpointId": string; "deliveryId": string };
    query: undefined;
    body: undefined;
    answer: {
      delivery: EventDelivery;
    };
  };
  "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/test": {
    path: { "workspaceId": string; "endpointId": string };
    query: undefined;
    body: undefined;
    answer: {
      delivery: EventDelivery;
    };
  };
  "POST /api/v3/generate-upload-url": {
    path: undefined;
    query: undefined;
    body: {
      sessionId: string;
      blockId: string;
      fileName: string;
      fileType?: string | undefined;
      fileSize?: number | undefined;
    };
    answer: {
      presignedUrl: string;
      fileUrl: string;
      formData: Record<string, never>;
      fileType?: string | undefined;
      maxFileSize: number;
    };
  };
  "PUT /api/uploads/:token": {
    path: { "token": string };
    query: undefined;
    body: undefined;
    answer: {
      bytes: number;
    };
  };
  "GET /api/v1/bots/:botId/results/:resultId/files": {
    path: { "botId": string; "resultId": string };
    query: undefined;
    body: undefined;
    answer: {
      files: Array<ResultFile>;
    };
  };
  "GET /api/v1/bots/:botId/results/:resultId/files/:fileName": {
    path: { "botId": string; "resultId": string; "fileName": string };
    query: undefined;
    body: undefined;
    answer: undefined;
  };
  "POST /api/v1/storage/check": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      status: "ok";
    };
  };
  "GET /api/healthz": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      status: "ok";
    };
  };
  "GET /api/readyz": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      status: "ok";
    };
  };
  "GET /api/v1/instance": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      instance: Instance;
    };
  };
}

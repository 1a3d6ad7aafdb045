// Written by `npm run words` from the English words; a test compares them.

type Value = string | number;

type Said<English, Functions> = {
  readonly [Key in keyof English]: Key extends keyof Functions
    ? Functions[Key] extends (values: never) => string
      ? Functions[Key]
      : Said<English[Key], Functions[Key]>
    : English[Key];
};

export type Parts = {
  botBar: (typeof import("./en/bot-bar.json"))["botBar"];
  brand: Said<(typeof import("./en/brand.json"))["brand"], {
    uploadFor: (values: { readonly name: Value }) => string;
    colorOf: (values: { readonly name: Value }) => string;
    removeColor: (values: { readonly name: Value }) => string;
    pixels: (values: { readonly count: number }) => string;
  }>;
  canvasAct: Said<(typeof import("./en/canvas-act.json"))["canvasAct"], {
    palette: {
      placed: (values: { readonly name: Value }) => string;
    };
    note: {
      read: (values: { readonly text: Value | undefined }) => string;
    };
    frame: {
      read: (values: { readonly title: Value | undefined }) => string;
      holds: (values: { readonly count: number }) => string;
    };
    chosen: {
      after: (values: { readonly count: number }) => string;
    };
  }>;
  canvasMenu: Said<(typeof import("./en/canvas-menu.json"))["canvasMenu"], {
    bar: {
      chosen: (values: { readonly count: number }) => string;
    };
  }>;
  canvas: Said<(typeof import("./en/canvas.json"))["canvas"], {
    card: {
      ways: {
        after: (values: { readonly time: Value }) => string;
      };
    };
    name: (values: { readonly groups: number; readonly bot: Value }) => string;
    group: (values: { readonly title: Value }) => string;
    event: (values: { readonly title: Value }) => string;
    leads: (values: { readonly titles: Value }) => string;
    zoomTo: (values: { readonly percent: Value }) => string;
  }>;
  channels: Said<(typeof import("./en/channels.json"))["channels"], {
    deleteTitle: (values: { readonly name: Value }) => string;
    paused: (values: { readonly when: Value }) => string;
    pointMessageText: (values: { readonly name: Value }) => string;
    lastCall: (values: { readonly when: Value }) => string;
    refusedCalls: (values: { readonly count: number }) => string;
    letAnswerTitle: (values: { readonly name: Value }) => string;
    answersNow: (values: { readonly name: Value }) => string;
    isAsked: (values: { readonly name: Value }) => string;
    moveUp: (values: { readonly name: Value }) => string;
    moveDown: (values: { readonly name: Value }) => string;
    editCondition: (values: { readonly name: Value }) => string;
    takeOff: (values: { readonly name: Value }) => string;
    conditionOf: (values: { readonly name: Value }) => string;
    whenMessage: (values: { readonly condition: Value }) => string;
    unsent: (values: { readonly count: number }) => string;
    noText: (values: { readonly kind: Value }) => string;
    eraseTitle: (values: { readonly name: Value }) => string;
  }>;
  code: Said<(typeof import("./en/code.json"))["code"], {
    makeVariable: (values: { readonly name: Value }) => string;
    error: (values: { readonly line: Value }) => string;
  }>;
  command: Said<(typeof import("./en/command.json"))["command"], {
    acts: {
      moveThings: (values: { readonly count: number }) => string;
      insertBlock: (values: { readonly name: Value }) => string;
      insertGroup: (values: { readonly title: Value }) => string;
      takeOut: (values: { readonly count: number }) => string;
      renameFrame: (values: { readonly title: Value }) => string;
      paint: (values: { readonly color: Value }) => string;
      lock: (values: { readonly count: number }) => string;
      unlock: (values: { readonly count: number }) => string;
      renameGroup: (values: { readonly title: Value }) => string;
      remove: (values: { readonly parts: Value }) => string;
      moveGroups: (values: { readonly count: number }) => string;
      connect: (values: { readonly title: Value | undefined }) => string;
      addBlock: (values: { readonly name: Value }) => string;
      setOption: (values: { readonly field: Value | undefined }) => string;
      setOptionOf: (values: { readonly field: Value | undefined; readonly blocks: Value }) => string;
      moveBlocks: (values: { readonly count: number }) => string;
      duplicate: (values: { readonly count: number }) => string;
      removeWayOut: (values: { readonly line: Value }) => string;
      changeType: (values: { readonly name: Value }) => string;
      paste: (values: { readonly count: number }) => string;
      addVariable: (values: { readonly name: Value }) => string;
      renameVariable: (values: { readonly name: Value }) => string;
      mergeVariable: (values: { readonly name: Value }) => string;
      removeVariable: (values: { readonly name: Value }) => string;
      setVariable: (values: { readonly name: Value }) => string;
      addEvent: (values: { readonly name: Value }) => string;
      replaceTheme: (values: { readonly from: Value }) => string;
      replaceTexts: (values: { readonly text: Value; readonly by: Value }) => string;
      mendFindings: (values: { readonly count: number }) => string;
    };
    announce: {
      joined: (values: { readonly name: Value }) => string;
      others: (values: { readonly name: Value }) => string;
      copied: (values: { readonly count: number }) => string;
      findings: (values: { readonly count: number }) => string;
    };
  }>;
  comment: Said<(typeof import("./en/comment.json"))["comment"], {
    commentOn: (values: { readonly name: Value }) => string;
    show: (values: { readonly name: Value }) => string;
    threads: (values: { readonly count: number }) => string;
  }>;
  compared: Said<(typeof import("./en/compared.json"))["compared"], {
    from: (values: { readonly kind: Value; readonly number: Value | undefined }) => string;
    to: (values: { readonly kind: Value; readonly number: Value | undefined }) => string;
  }>;
  credentials: Said<(typeof import("./en/credentials.json"))["credentials"], {
    refusedAt: (values: { readonly when: Value }) => string;
    connectedAs: (values: { readonly account: Value }) => string;
  }>;
  dashboard: Said<(typeof import("./en/dashboard.json"))["dashboard"], {
    percent: (values: { readonly percent: number }) => string;
    chatsBefore: (values: { readonly count: number }) => string;
    completionBefore: (values: { readonly percent: number }) => string;
    failingBefore: (values: { readonly count: number }) => string;
    chats: (values: { readonly count: number }) => string;
    completed: (values: { readonly percent: number }) => string;
    chatsByDay: (values: { readonly days: Value }) => string;
    template: (values: { readonly name: Value }) => string;
  }>;
  difference: Said<(typeof import("./en/difference.json"))["difference"], {
    unnoticed: (values: { readonly count: number }) => string;
    defaultOf: (values: { readonly text: Value }) => string;
    leadsOf: (values: { readonly name: Value }) => string;
    movedFrom: (values: { readonly title: Value }) => string;
    leadsOn: (values: { readonly title: Value }) => string;
    go: (values: { readonly name: Value }) => string;
    more: (values: { readonly count: number }) => string;
    moreBefore: (values: { readonly count: number }) => string;
    counted: {
      added: (values: { readonly count: Value }) => string;
      removed: (values: { readonly count: Value }) => string;
      changed: (values: { readonly count: Value }) => string;
      moved: (values: { readonly count: Value }) => string;
    };
    step: (values: { readonly at: Value; readonly count: Value }) => string;
    steps: (values: { readonly count: number }) => string;
  }>;
  erasures: Said<(typeof import("./en/erasures.json"))["erasures"], {
    foundTitle: (values: { readonly count: number }) => string;
    foundText: (values: { readonly bots: number; readonly variable: Value }) => string;
    countedAsOf: (values: { readonly time: Value }) => string;
    ofBot: (values: { readonly count: number; readonly name: Value }) => string;
    onlyInAnswers: (values: { readonly count: number }) => string;
    noneFound: (values: { readonly value: Value; readonly variable: Value }) => string;
    doneTitle: (values: { readonly count: number }) => string;
  }>;
  find: Said<(typeof import("./en/find.json"))["find"], {
    hits: (values: { readonly count: number }) => string;
    nth: (values: { readonly index: Value; readonly count: Value }) => string;
    names: (values: { readonly count: number }) => string;
    replaceAll: (values: { readonly count: Value }) => string;
    locked: (values: { readonly count: number; readonly titles: Value }) => string;
    replaced: (values: { readonly count: number }) => string;
    more: (values: { readonly count: Value }) => string;
  }>;
  finding: Said<(typeof import("./en/finding.json"))["finding"], {
    errors: (values: { readonly count: number }) => string;
    warnings: (values: { readonly count: number }) => string;
    infos: (values: { readonly count: number }) => string;
  }>;
  first: Said<(typeof import("./en/first.json"))["first"], {
    done: {
      name: (values: { readonly name: Value }) => string;
    };
    open: {
      name: (values: { readonly name: Value }) => string;
    };
  }>;
  flow: Said<(typeof import("./en/flow.json"))["flow"], {
    saving: {
      toDecide: (values: { readonly count: Value }) => string;
      nextTry: (values: { readonly seconds: Value }) => string;
    };
    bar: {
      undoOf: (values: { readonly title: Value }) => string;
      redoOf: (values: { readonly title: Value }) => string;
      undone: (values: { readonly title: Value }) => string;
      redone: (values: { readonly title: Value }) => string;
      left: (values: { readonly count: number; readonly who: Value | undefined }) => string;
      publishWith: (values: { readonly findings: number }) => string;
      here: (values: { readonly names: Value }) => string;
      follow: (values: { readonly name: Value }) => string;
      following: (values: { readonly name: Value }) => string;
      newComments: (values: { readonly count: number }) => string;
    };
  }>;
  font: Said<(typeof import("./en/font.json"))["font"], {
    brand: (values: { readonly family: Value }) => string;
    own: (values: { readonly family: Value }) => string;
  }>;
  form: Said<(typeof import("./en/form.json"))["form"], {
    keptSecret: (values: { readonly ends: Value | undefined }) => string;
    asHtml: (values: { readonly title: Value }) => string;
    byDefault: (values: { readonly text: Value }) => string;
    unknownWord: (values: { readonly text: Value }) => string;
    reset: (values: { readonly title: Value }) => string;
    resetDone: (values: { readonly title: Value }) => string;
    turnOff: (values: { readonly title: Value }) => string;
    makeVariable: (values: { readonly name: Value }) => string;
    variableFor: (values: { readonly name: Value }) => string;
    tooSmall: (values: { readonly least: Value }) => string;
    tooLarge: (values: { readonly most: Value }) => string;
    addTo: (values: { readonly title: Value }) => string;
    remove: (values: { readonly title: Value }) => string;
    removed: (values: { readonly title: Value }) => string;
    moveUp: (values: { readonly title: Value }) => string;
    moveDown: (values: { readonly title: Value }) => string;
    movedTo: (values: { readonly title: Value; readonly place: Value; readonly count: Value }) => string;
    askAgain: (values: { readonly title: Value }) => string;
    asking: (values: { readonly title: Value }) => string;
    useTyped: (values: { readonly text: Value }) => string;
    duration: (values: { readonly time: Value }) => string;
    entry: (values: { readonly place: Value }) => string;
    comparison: (values: { readonly place: Value }) => string;
    uploadFailed: (values: { readonly why: Value }) => string;
    uploading: (values: { readonly name: Value; readonly percent: Value }) => string;
    uploaded: (values: { readonly name: Value }) => string;
    uploads: {
      tooLarge: (values: { readonly megabytes: Value }) => string;
    };
    contrast: (values: { readonly ratio: Value }) => string;
    tooFaint: (values: { readonly ratio: Value }) => string;
    pickColor: (values: { readonly title: Value }) => string;
    notJson: (values: { readonly why: Value }) => string;
    badLine: (values: { readonly line: Value }) => string;
    mixedOf: (values: { readonly values: Value }) => string;
    held: (values: { readonly text: Value; readonly count: Value }) => string;
    heldNothing: (values: { readonly count: Value }) => string;
    heldOther: (values: { readonly count: Value }) => string;
    choice: (values: { readonly place: Value }) => string;
    choiceLabel: (values: { readonly place: Value }) => string;
    tooManyChoices: (values: { readonly most: number }) => string;
    choicesAdded: (values: { readonly count: number }) => string;
    moveEntry: (values: { readonly title: Value }) => string;
    moreOf: (values: { readonly title: Value }) => string;
    branch: (values: { readonly place: Value }) => string;
  }>;
  history: Said<(typeof import("./en/history.json"))["history"], {
    title: (values: { readonly when: Value }) => string;
    each: (values: { readonly count: Value }) => string;
    lookAt: (values: { readonly title: Value; readonly when: Value }) => string;
    titles: {
      version: (values: { readonly number: Value }) => string;
    };
    alsoBy: (values: { readonly names: Value }) => string;
    person: (values: { readonly count: number; readonly name: Value }) => string;
  }>;
  inputCheck: Said<(typeof import("./en/input-check.json"))["inputCheck"], {
    taken: (values: { readonly answer: Value }) => string;
    refusedWith: (values: { readonly said: Value }) => string;
  }>;
  insight: Said<(typeof import("./en/insight.json"))["insight"], {
    asOf: (values: { readonly time: Value }) => string;
    between: (values: { readonly from: Value; readonly to: Value }) => string;
    since: (values: { readonly from: Value }) => string;
    until: (values: { readonly to: Value }) => string;
    versionOf: (values: { readonly number: Value }) => string;
    versionPair: (values: { readonly newer: Value; readonly older: Value }) => string;
    versionValue: (values: { readonly number: Value; readonly value: Value }) => string;
    notInVersion: (values: { readonly number: Value }) => string;
    onlyInVersion: (values: { readonly number: Value }) => string;
    noChatsOf: (values: { readonly number: Value }) => string;
    before: (values: { readonly value: Value }) => string;
    seriesText: (values: { readonly views: number; readonly when: Value | undefined; readonly most: number | undefined }) => string;
    pointText: (values: { readonly when: Value; readonly opened: number; readonly answered: number; readonly completed: number }) => string;
    weekOf: (values: { readonly day: Value }) => string;
    leftShare: (values: { readonly count: number; readonly share: Value }) => string;
    showAll: (values: { readonly count: number }) => string;
    dropText: (values: { readonly left: number; readonly reached: number; readonly share: Value }) => string;
    openingText: (values: { readonly left: number; readonly reached: number; readonly share: Value }) => string;
    seeOnFlowOf: (values: { readonly name: Value }) => string;
    seeChatsOf: (values: { readonly name: Value }) => string;
    durationsText: (values: { readonly median: Value; readonly most: Value }) => string;
    average: (values: { readonly value: Value }) => string;
    choicesOf: (values: { readonly name: Value }) => string;
    card: (values: { readonly reached: number; readonly left: number; readonly share: Value }) => string;
    cardChanged: (values: { readonly text: Value; readonly number: Value }) => string;
    changed: (values: { readonly number: Value }) => string;
    edge: (values: { readonly count: number; readonly share: Value }) => string;
    startCard: (values: { readonly views: number; readonly silent: number; readonly share: Value }) => string;
    legend: (values: { readonly number: Value }) => string;
    legendOlder: (values: { readonly number: Value }) => string;
    trendOf: (values: { readonly name: Value; readonly first: number; readonly last: number; readonly most: number }) => string;
    modelsText: (values: { readonly from: Value; readonly to: Value }) => string;
  }>;
  instance: Said<(typeof import("./en/instance.json"))["instance"], {
    noUsersFound: (values: { readonly search: Value }) => string;
    deactivateTitle: (values: { readonly name: Value }) => string;
    successorText: (values: { readonly workspaces: Value }) => string;
    andMore: (values: { readonly count: number }) => string;
    deactivatedToast: (values: { readonly name: Value }) => string;
    activatedToast: (values: { readonly name: Value }) => string;
    tokensOf: (values: { readonly name: Value }) => string;
    resumeTitle: (values: { readonly name: Value }) => string;
    resumedToast: (values: { readonly name: Value }) => string;
  }>;
  keyNames: (typeof import("./en/key-names.json"))["keyNames"];
  key: (typeof import("./en/key.json"))["key"];
  liveDetails: Said<(typeof import("./en/live-details.json"))["liveDetails"], {
    version: (values: { readonly number: Value }) => string;
    byAt: (values: { readonly name: Value; readonly time: Value }) => string;
    at: (values: { readonly time: Value }) => string;
    canary: (values: { readonly number: Value; readonly percent: Value }) => string;
  }>;
  live: Said<(typeof import("./en/live.json"))["live"], {
    canary: (values: { readonly percent: Value }) => string;
    changes: (values: { readonly count: number }) => string;
    short: (values: { readonly count: number }) => string;
  }>;
  onCard: Said<(typeof import("./en/on-card.json"))["onCard"], {
    savedTo: (values: { readonly name: Value }) => string;
    findingsOf: (values: { readonly title: Value }) => string;
    field: (values: { readonly name: Value }) => string;
    tooManyOptions: (values: { readonly most: number }) => string;
  }>;
  outline: Said<(typeof import("./en/outline.json"))["outline"], {
    outline: {
      name: (values: { readonly groups: number; readonly bot: Value }) => string;
      items: (values: { readonly count: number }) => string;
      blocks: (values: { readonly count: number }) => string;
      chosenBlocks: (values: { readonly count: number }) => string;
      savedTo: (values: { readonly name: Value }) => string;
      leads: (values: { readonly title: Value }) => string;
      item: (values: { readonly position: Value }) => string;
      actions: (values: { readonly name: Value }) => string;
      isHere: (values: { readonly name: Value }) => string;
      branch: (values: { readonly position: Value }) => string;
      threads: (values: { readonly count: number }) => string;
    };
    menu: {
      addWay: (values: { readonly line: Value }) => string;
    };
    picker: {
      newGroup: (values: { readonly title: Value | undefined }) => string;
    };
  }>;
  overlapHint: (typeof import("./en/overlap-hint.json"))["overlapHint"];
  paletteButton: (typeof import("./en/palette-button.json"))["paletteButton"];
  palette: Said<(typeof import("./en/palette.json"))["palette"], {
    none: (values: { readonly typed: Value | undefined }) => string;
    found: (values: { readonly count: number }) => string;
    findIn: (values: { readonly typed: Value }) => string;
    searchBots: (values: { readonly typed: Value }) => string;
  }>;
  panelEdge: Said<(typeof import("./en/panel-edge.json"))["panelEdge"], {
    pixels: (values: { readonly width: Value }) => string;
  }>;
  panelName: (typeof import("./en/panel-name.json"))["panelName"];
  panel: Said<(typeof import("./en/panel.json"))["panel"], {
    panel: {
      several: (values: { readonly count: Value }) => string;
      badJson: (values: { readonly why: Value }) => string;
      goneBy: (values: { readonly name: Value }) => string;
    };
    findings: {
      fixAll: (values: { readonly count: Value }) => string;
      fixed: (values: { readonly count: number }) => string;
      more: (values: { readonly count: Value }) => string;
    };
    history: {
      by: (values: { readonly name: Value }) => string;
      changes: (values: { readonly count: number }) => string;
      sizes: (values: { readonly groups: number; readonly blocks: number }) => string;
    };
  }>;
  part: Said<(typeof import("./en/part.json"))["part"], {
    group: (values: { readonly count: number }) => string;
    block: (values: { readonly count: number }) => string;
    event: (values: { readonly count: number }) => string;
    variable: (values: { readonly count: number }) => string;
    added: (values: { readonly parts: Value }) => string;
    changed: (values: { readonly parts: Value }) => string;
    moved: (values: { readonly parts: Value }) => string;
    removed: (values: { readonly parts: Value }) => string;
  }>;
  pasting: Said<(typeof import("./en/pasting.json"))["pasting"], {
    notKept: (values: { readonly why: Value }) => string;
  }>;
  preview: Said<(typeof import("./en/preview.json"))["preview"], {
    repeated: (values: { readonly count: number }) => string;
    fromGroup: (values: { readonly name: Value }) => string;
    remove: (values: { readonly name: Value }) => string;
    step: (values: { readonly number: Value }) => string;
    you: (values: { readonly text: Value }) => string;
    setValue: (values: { readonly name: Value }) => string;
    milliseconds: (values: { readonly count: Value }) => string;
    requestId: (values: { readonly id: Value }) => string;
    select: (values: { readonly name: Value }) => string;
    browserSaid: (values: { readonly text: Value }) => string;
  }>;
  publish: Said<(typeof import("./en/publish.json"))["publish"], {
    unsaved: {
      changedBy: (values: { readonly name: Value }) => string;
      changedAt: (values: { readonly name: Value; readonly time: Value }) => string;
      toDecide: (values: { readonly title: Value }) => string;
    };
    publish: {
      done: (values: { readonly number: Value }) => string;
      percent: (values: { readonly percent: Value }) => string;
      publishShare: (values: { readonly percent: Value }) => string;
      endsTrial: (values: { readonly number: Value }) => string;
    };
  }>;
  removed: Said<(typeof import("./en/removed.json"))["removed"], {
    groups: (values: { readonly count: number }) => string;
    blocks: (values: { readonly count: number }) => string;
    events: (values: { readonly count: number }) => string;
    items: (values: { readonly count: number }) => string;
    notes: (values: { readonly count: number }) => string;
    frames: (values: { readonly count: number }) => string;
  }>;
  requestTrial: Said<(typeof import("./en/request-trial.json"))["requestTrial"], {
    answeredAfter: (values: { readonly ms: Value }) => string;
    value: (values: { readonly name: Value }) => string;
    status: (values: { readonly code: Value }) => string;
    took: (values: { readonly ms: Value }) => string;
    answered: (values: { readonly code: Value; readonly ms: Value }) => string;
    use: (values: { readonly code: Value }) => string;
    keepIn: (values: { readonly code: Value }) => string;
    makeVariable: (values: { readonly name: Value }) => string;
    kept: (values: { readonly code: Value; readonly name: Value }) => string;
    headers: (values: { readonly count: number }) => string;
    mailSent: (values: { readonly address: Value }) => string;
    mailFailed: (values: { readonly why: Value }) => string;
  }>;
  result: Said<(typeof import("./en/result.json"))["result"], {
    count: (values: { readonly count: number }) => string;
    atLeast: (values: { readonly count: number }) => string;
    asOf: (values: { readonly time: Value }) => string;
    removeFilter: (values: { readonly label: Value }) => string;
    between: (values: { readonly from: Value; readonly to: Value }) => string;
    sinceDay: (values: { readonly from: Value }) => string;
    until: (values: { readonly to: Value }) => string;
    containing: (values: { readonly text: Value }) => string;
    equals: (values: { readonly name: Value; readonly value: Value }) => string;
    begins: (values: { readonly name: Value; readonly value: Value }) => string;
    versionOf: (values: { readonly number: Value }) => string;
    leftAtQuestion: (values: { readonly question: Value }) => string;
    wider: (values: { readonly column: Value }) => string;
    narrower: (values: { readonly column: Value }) => string;
    moveBefore: (values: { readonly column: Value }) => string;
    moveBehind: (values: { readonly column: Value }) => string;
    deleteAllText: (values: { readonly count: Value }) => string;
    partialText: (values: { readonly time: Value }) => string;
    exportAs: (values: { readonly format: Value }) => string;
    delete: (values: { readonly count: number }) => string;
    deleteText: (values: { readonly count: number }) => string;
    deleted: (values: { readonly count: number }) => string;
    open: (values: { readonly when: Value }) => string;
    ratingCounts: (values: { readonly good: Value; readonly bad: Value }) => string;
    paidSum: (values: { readonly sums: Value }) => string;
    download: (values: { readonly name: Value }) => string;
    fileOf: (values: { readonly extension: Value | undefined; readonly kind: Value | undefined }) => string;
    seen: {
      began: (values: { readonly when: Value }) => string;
      refused: (values: { readonly text: Value; readonly why: Value }) => string;
      redirected: (values: { readonly url: Value }) => string;
      waited: (values: { readonly seconds: Value }) => string;
      ran: (values: { readonly name: Value }) => string;
      skipped: (values: { readonly type: Value }) => string;
      unansweredOf: (values: { readonly choices: Value }) => string;
    };
    summary: {
      progress: (values: { readonly read: number; readonly of: number }) => string;
      from: (values: { readonly count: number }) => string;
      silent: (values: { readonly count: number }) => string;
      silentAtLeast: (values: { readonly count: number }) => string;
      older: (values: { readonly count: number }) => string;
      asOf: (values: { readonly time: Value }) => string;
      answered: (values: { readonly count: number }) => string;
      showMore: (values: { readonly count: number }) => string;
      npsParts: (values: { readonly promoters: Value; readonly passives: Value; readonly detractors: Value }) => string;
      firstColumns: (values: { readonly count: Value }) => string;
    };
  }>;
  samplePage: (typeof import("./en/sample-page.json"))["samplePage"];
  settings: Said<(typeof import("./en/settings.json"))["settings"], {
    live: (values: { readonly number: Value }) => string;
    place: (values: { readonly place: number }) => string;
  }>;
  share: Said<(typeof import("./en/share.json"))["share"], {
    isLive: (values: { readonly number: Value }) => string;
    addressEnd: (values: { readonly before: Value }) => string;
    addressOf: (values: { readonly name: Value }) => string;
    pick: (values: { readonly label: Value }) => string;
    removeVariable: (values: { readonly name: Value }) => string;
  }>;
  shell: Said<(typeof import("./en/shell.json"))["shell"], {
    moreOf: (values: { readonly name: Value }) => string;
    select: (values: { readonly name: Value }) => string;
    selected: (values: { readonly count: number }) => string;
    typeToConfirm: (values: { readonly name: Value }) => string;
    newFolderIn: (values: { readonly name: Value }) => string;
    deleteFolderText: (values: { readonly name: Value }) => string;
    suspendedReason: (values: { readonly reason: Value }) => string;
    requestId: (values: { readonly id: Value }) => string;
    tooManyTries: (values: { readonly seconds: number }) => string;
    downloadUnsaved: (values: { readonly name: Value }) => string;
    codeSent: (values: { readonly email: Value }) => string;
    firstWorkspaceName: (values: { readonly name: Value }) => string;
    stateTroubleHint: (values: { readonly count: number }) => string;
    weekText: (values: { readonly started: number; readonly completed: number }) => string;
    duplicateName: (values: { readonly name: Value }) => string;
    moveTitle: (values: { readonly count: number }) => string;
    exportTitle: (values: { readonly count: number }) => string;
    archiveTitle: (values: { readonly count: number }) => string;
    archivedToast: (values: { readonly count: number }) => string;
    linkedFrom: (values: { readonly count: number; readonly names: Value }) => string;
    restoredToast: (values: { readonly name: Value }) => string;
    deleteTitle: (values: { readonly count: number }) => string;
    deletedToast: (values: { readonly count: number }) => string;
    movedOutToast: (values: { readonly count: number }) => string;
    movedToast: (values: { readonly count: number; readonly place: Value }) => string;
    createdToast: (values: { readonly name: Value }) => string;
    eraseTitle: (values: { readonly name: Value }) => string;
    erasedOn: (values: { readonly day: Value }) => string;
    noBotsFound: (values: { readonly search: Value }) => string;
    importBroken: (values: { readonly line: Value | undefined; readonly column: Value | undefined }) => string;
    importTooLarge: (values: { readonly megabytes: number }) => string;
    importGroups: (values: { readonly count: number }) => string;
    importUnknown: (values: { readonly count: number }) => string;
    importLinks: (values: { readonly count: number }) => string;
    importCredentials: (values: { readonly count: number }) => string;
    importAddresses: (values: { readonly count: number }) => string;
    importRepeated: (values: { readonly count: number }) => string;
    importWords: (values: { readonly count: number }) => string;
    importLostKeys: (values: { readonly count: number }) => string;
    importKeys: (values: { readonly count: number }) => string;
    deleteWorkspaceText: (values: { readonly name: Value }) => string;
    leaveWorkspaceText: (values: { readonly name: Value }) => string;
    inviteMailed: (values: { readonly email: Value }) => string;
    removeMemberText: (values: { readonly name: Value }) => string;
    tokenMadeBy: (values: { readonly name: Value }) => string;
    revokeTitle: (values: { readonly name: Value }) => string;
    attempts: (values: { readonly count: number }) => string;
    browserOn: (values: { readonly browser: Value; readonly system: Value }) => string;
  }>;
  template: Said<(typeof import("./en/template.json"))["template"], {
    tryOne: (values: { readonly name: Value }) => string;
  }>;
  tests: Said<(typeof import("./en/tests.json"))["tests"], {
    runOne: (values: { readonly title: Value }) => string;
    removeOne: (values: { readonly title: Value }) => string;
    deleteTitle: (values: { readonly title: Value }) => string;
    failedOf: (values: { readonly count: number; readonly all: Value }) => string;
    ranAt: (values: { readonly time: Value }) => string;
    says: (values: { readonly text: Value }) => string;
    passes: (values: { readonly time: Value }) => string;
    turn: (values: { readonly number: Value }) => string;
    blocksMet: (values: { readonly total: number; readonly met: Value }) => string;
    waysMet: (values: { readonly total: number; readonly met: Value }) => string;
    optionsMet: (values: { readonly total: number; readonly met: Value }) => string;
    answerOf: (values: { readonly call: Value }) => string;
    stopped: (values: { readonly count: number }) => string;
    quoted: (values: { readonly title: Value }) => string;
  }>;
  text: Said<(typeof import("./en/text.json"))["text"], {
    makeVariable: (values: { readonly name: Value }) => string;
  }>;
  theme: Said<(typeof import("./en/theme.json"))["theme"], {
    opened: (values: { readonly section: Value }) => string;
    taken: (values: { readonly name: Value }) => string;
    kept: (values: { readonly name: Value }) => string;
    remove: (values: { readonly name: Value }) => string;
    removed: (values: { readonly name: Value }) => string;
    contrastMoved: (values: { readonly color: Value }) => string;
    mainUnread: (values: { readonly stored: Value; readonly shown: Value }) => string;
    brandColor: (values: { readonly name: Value }) => string;
  }>;
  variable: Said<(typeof import("./en/variable.json"))["variable"], {
    unusedOnly: (values: { readonly count: Value }) => string;
    details: (values: { readonly name: Value }) => string;
    written: (values: { readonly count: Value }) => string;
    read: (values: { readonly count: Value }) => string;
    more: (values: { readonly count: Value }) => string;
    showMore: (values: { readonly count: Value }) => string;
    mergeTitle: (values: { readonly name: Value }) => string;
    mergeText: (values: { readonly count: number; readonly name: Value; readonly into: Value | undefined }) => string;
    removeTitle: (values: { readonly name: Value }) => string;
    removeText: (values: { readonly count: number }) => string;
    renameTitle: (values: { readonly from: Value; readonly to: Value }) => string;
    renameText: (values: { readonly count: number }) => string;
    takenTitle: (values: { readonly name: Value }) => string;
    twins: (values: { readonly count: Value; readonly name: Value }) => string;
    twinsText: (values: { readonly count: number }) => string;
  }>;
  version: Said<(typeof import("./en/version.json"))["version"], {
    version: (values: { readonly number: Value }) => string;
    canary: (values: { readonly percent: Value }) => string;
    resultsText: (values: { readonly views: number; readonly percent: Value | undefined }) => string;
    acts: (values: { readonly number: Value }) => string;
    compareVersion: (values: { readonly number: Value }) => string;
    publishAgainOf: (values: { readonly number: Value }) => string;
    compareTitle: (values: { readonly from: Value; readonly to: Value }) => string;
    publishTitle: (values: { readonly number: Value }) => string;
    publishText: (values: { readonly number: Value }) => string;
    backTo: (values: { readonly number: Value }) => string;
    isLiveNow: (values: { readonly number: Value }) => string;
    bringTitle: (values: { readonly number: Value }) => string;
    brought: (values: { readonly number: Value; readonly kept: Value }) => string;
    publishNumberAgain: (values: { readonly number: Value }) => string;
    bringNumber: (values: { readonly number: Value }) => string;
    noVersion: (values: { readonly number: Value }) => string;
    noName: (values: { readonly name: Value }) => string;
    whatChangedIn: (values: { readonly number: Value }) => string;
    openHere: (values: { readonly version: Value; readonly name: Value }) => string;
    editHere: (values: { readonly name: Value }) => string;
    moment: (values: { readonly revision: Value }) => string;
    canaryTitle: (values: { readonly number: Value }) => string;
    canarySince: (values: { readonly percent: Value; readonly when: Value }) => string;
    canaryPercent: (values: { readonly percent: Value }) => string;
    canaryShareNow: (values: { readonly percent: Value; readonly number: Value }) => string;
    promoteTitle: (values: { readonly number: Value }) => string;
    promoteText: (values: { readonly number: Value }) => string;
    rollBackTitle: (values: { readonly number: Value }) => string;
    rollBackText: (values: { readonly number: Value }) => string;
    rolledBack: (values: { readonly number: Value }) => string;
    triedFigures: (values: { readonly number: Value; readonly views: Value; readonly starts: Value; readonly completions: Value; readonly share: Value }) => string;
    liveFigures: (values: { readonly number: Value; readonly views: Value; readonly starts: Value; readonly completions: Value; readonly share: Value }) => string;
  }>;
  workspace: Said<(typeof import("./en/workspace.json"))["workspace"], {
    testTitle: (values: { readonly name: Value }) => string;
    deleteTitle: (values: { readonly name: Value }) => string;
    eventCount: (values: { readonly count: number }) => string;
    pending: (values: { readonly count: number }) => string;
    answerOf: (values: { readonly status: Value }) => string;
    nextAttempt: (values: { readonly when: Value }) => string;
    inviteText: (values: { readonly bot: Value }) => string;
    invitedUntil: (values: { readonly when: Value }) => string;
    removeGuestTitle: (values: { readonly name: Value }) => string;
    removeGuestText: (values: { readonly bot: Value }) => string;
    guestAdded: (values: { readonly email: Value }) => string;
    noFilesText: (values: { readonly megabytes: number }) => string;
    uploaded: (values: { readonly count: number }) => string;
    notUploaded: (values: { readonly name: Value; readonly why: Value }) => string;
  }>;
};

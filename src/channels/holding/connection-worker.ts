import type { ProviderMessage } from "../../core/channels/channel.ts";
import { limits } from "../../limits/index.ts";
import type { OpenConnection } from "../../management/channels/open-connections.ts";
import type { OptOuts } from "../../management/channels/opt-outs.ts";
import type { FairShare } from "../../platform/concurrency/fair-share.ts";
import type { LeaseUse } from "../../platform/concurrency/leases.ts";
import { type PollLoop, startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import { within } from "../../platform/concurrency/within.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import type { ChannelDependencies } from "../dependencies.ts";
import { createContactFiles } from "../files/contact-files.ts";
import type { HeldConnection } from "../held-connection.ts";
import { createInbound, type WaitingRoom } from "../inbound/inbound.ts";
import { startPolling } from "../inbound/poll.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { BotChooser } from "../turns/bots.ts";
import { tellExpired } from "../turns/expiries.ts";
import type { TurnTools } from "../turns/turn.ts";
import type { TurnStore } from "../turns/turn-store.ts";

/** Answers and sends the messages of a connection that this process holds, and polls the provider if necessary. */
export type ConnectionWorker = {
  readonly connection: OpenConnection;
  wakeInbound(): void;
  wakeOutbound(): void;
  /** Called when chats may have expired. */
  wakeExpiries(): void;
  /** Whether a message of this contact is being answered. */
  isAnswering(contactId: string): boolean;
  /**
   * When the connection last had work, by the clock of this process. Returns the current time while the connection has
   * work.
   */
  busyAt(): number;
  /** Whether the connection always has work, because it polls for updates. */
  readonly isPolling: boolean;
  /**
   * Starts no more work, and waits for running work except long steps. The next holder finds these steps by their keys.
   */
  stop(): Promise<void>;
  /** Resolves after a stop, once no step is running. */
  finished(): Promise<void>;
};

export type WorkerParts = {
  readonly deps: ChannelDependencies;
  readonly outbound: Outbound;
  readonly bots: BotChooser;
  readonly store: TurnStore;
  readonly places: FairShare<"workspace">;
  /** Limits how many files of contacts are fetched concurrently. */
  readonly filePlaces: FairShare<"workspace">;
  readonly room: WaitingRoom;
  readonly optOuts: OptOuts;
  readonly holder: string;
};

const maxPauseMs = 4_000;
const firstPauseMs = 250;

export function startWorker(
  { deps, outbound, bots, store, places, filePlaces, room, optOuts, holder }: WorkerParts,
  { connection, use, mayAct }: { readonly connection: OpenConnection; readonly use: LeaseUse; mayAct(): boolean },
): ConnectionWorker {
  const { clock, log } = deps;
  const { id, workspaceId, name, channel, settings, secrets, previousSecrets } = connection;
  let isStopping = false;
  const held: HeldConnection = {
    ...{ id, workspaceId, name, holder, channel, settings, secrets, previousSecrets },
    lost: use.signal,
    mayAct: () => !isStopping && mayAct(),
  };
  const isPolling = connection.isPolled;
  const sign = (contactId: string, message: ProviderMessage): void => outbound.sign(held, contactId, message);
  const draft: TurnTools["draft"] = (shown) => outbound.draft(held, shown);
  const files = createContactFiles(deps, connection, { places: filePlaces, lost: use.signal });
  const inbound = createInbound(
    { deps, connection, held, bots, store, sign, draft, files },
    {
      ...{ places, optOuts, room, isInOrder: isPolling },
      onStep: () => wakeOutbound(),
    },
  );
  let busyAt = clock.now();
  const onFailure = (error: unknown): void => {
    if (use.signal.aborted) return;
    if (isOutage(error)) deps.outage.failed(error);
    else log.error("The worker of a connection to a messenger failed", { error, connection: id });
  };
  /** Runs `run` again after each pause that it returns, and whenever the loop is woken. */
  const repeat = (run: () => Promise<number | undefined>): PollLoop => {
    let nextMs: number | undefined;
    let failures = 0;
    return startPollLoop({
      clock,
      startsWaiting: false,
      everyMs: () => nextMs ?? Number.POSITIVE_INFINITY,
      maxPauseMs: Number.POSITIVE_INFINITY,
      onFailure,
      async run() {
        if (!held.mayAct()) {
          nextMs = undefined;
          return;
        }
        try {
          nextMs = await run();
          failures = 0;
        } catch (error) {
          // This code sets the pause after a failure, because the loop would double an infinite pause.
          onFailure(error);
          nextMs = Math.min(maxPauseMs, firstPauseMs * 2 ** failures++);
        }
      },
    });
  };
  const incoming = repeat(() => inbound.run());
  let isSending = false;
  const outgoing = repeat(() => {
    isSending = true;
    return outbound.run(held).finally(() => {
      isSending = false;
    });
  });
  const expiring = repeat(() => tellExpired({ deps, connection, held }, wakeOutbound));
  const polling = isPolling
    ? startPolling({ deps, connection, held, holder, onStored: () => wakeInbound() })
    : undefined;
  const wakeOutbound = (): void => {
    busyAt = clock.now();
    // A run in progress checks again for messages. The loop handles the failures of the run.
    if (isSending) outbound.run(held).catch(() => {});
    else outgoing.wake();
  };
  const wakeInbound = (): void => {
    busyAt = clock.now();
    incoming.wake();
  };
  return {
    connection,
    isPolling,
    wakeInbound,
    wakeOutbound,
    wakeExpiries: () => expiring.wake(),
    isAnswering: inbound.isAnswering,
    busyAt: () => (inbound.isBusy() || isSending ? clock.now() : busyAt),
    async stop() {
      isStopping = true;
      const answered = within(limits.channels.leaveMs, inbound.stop(), () => {});
      await Promise.all([polling?.stop(), incoming.stop(), outgoing.stop(), expiring.stop(), answered]);
    },
    finished: () => inbound.stop(),
  };
}

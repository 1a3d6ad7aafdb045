/** The page to which a provider leads back is another tab: it reports here what became of the connection. */
export type Connected = {
  /** The state with which the connection began. */
  readonly state: string;
  /** The credentials that have the account now; absent if it was refused. */
  readonly credentialsId?: string;
  /** Why it was refused. */
  readonly problem?: string;
};

const name = "parley-connections";

/** Tells the tab in which the connection began. */
export function reportConnection(connected: Connected): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(connected);
  channel.close();
}

/** Calls this with the outcome of each connection that ends in another tab, until what it gives is called. */
export function onConnection(listen: (connected: Connected) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Connected>) => listen(data);
  return () => channel.close();
}

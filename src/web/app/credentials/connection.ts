/** The page to which a provider leads back is another tab: it reports the outcome of the connection here. */
export type Connected = {
  /** The state with which the connection began. */
  readonly state: string;
  /** The credentials that now have the account; absent if the connection was refused. */
  readonly credentialsId?: string;
  /** The reason why the connection was refused. */
  readonly problem?: string;
};

const name = "parley-connections";

/** Notifies the tab in which the connection began. */
export function reportConnection(connected: Connected): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(connected);
  channel.close();
}

/**
 * Calls the listener with the outcome of each connection that ends in another tab, until the returned function is
 * called.
 */
export function onConnection(listen: (connected: Connected) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Connected>) => listen(data);
  return () => channel.close();
}

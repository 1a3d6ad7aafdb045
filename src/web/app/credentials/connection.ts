/** The outcome of a connection. The provider redirects to a page in another tab, which reports the outcome. */
export type Connected = {
  /** The OAuth state that was created when the connection began. */
  readonly state: string;
  /** The id of the connected credentials; absent if the connection was refused. */
  readonly credentialsId?: string;
  /** The reason why the connection was refused. */
  readonly problem?: string;
};

const name = "parley-connections";

/** Reports the outcome to the other tabs of this browser. The connection began in one of them. */
export function reportConnection(connected: Connected): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage(connected);
  channel.close();
}

/**
 * Calls the listener with the outcome of each connection that ends in another tab. Returns a function that removes the
 * listener.
 */
export function onConnection(listen: (connected: Connected) => void): () => void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Connected>) => listen(data);
  return () => channel.close();
}

import { once } from 'node:events';
import { connect } from 'node:net';

/** This process's place among those who use a kept cluster: the server runs at least until it leaves, or dies. */
export interface GuardUser {
  /** What ended the server, once it is gone; null while it lives. */
  readonly ended: string | null;
  /** Gives the place up. Where it was the last one, returns when the server has stopped. */
  leave(): Promise<void>;
}

/** Joins the guard of a running server; null where none answers there, or it is about to stop. */
export async function joinGuard(address: string): Promise<GuardUser | null> {
  const socket = connect({ path: address, allowHalfOpen: true });
  const isWelcome = await new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('end', () => resolve(false));
  });
  if (!isWelcome) {
    socket.destroy();
    return null;
  }
  let [ended, isLeaving]: [string | null, boolean] = [null, false];
  const gone = (): void => {
    if (!isLeaving) ended = 'the server, or its guard, has ended';
    socket.destroy();
  };
  socket.on('error', gone).on('end', gone).on('close', gone).resume();
  // Whoever forgets to leave must still be able to exit; the guard sees that just the same.
  socket.unref();
  return {
    get ended() {
      return ended;
    },
    leave: async () => {
      isLeaving = true;
      if (socket.destroyed) return;
      socket.ref();
      const closed = once(socket, 'close');
      socket.end();
      await closed;
    },
  };
}

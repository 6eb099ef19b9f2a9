import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPool } from './pool.js';

const AUTHENTICATION_OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A server that lets everybody in, and resets the connection at the first statement. */
async function resettingServer(): Promise<number> {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY]));
      socket.once('data', () => socket.resetAndDestroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('PG-3 a connection that is reset under a statement of the pool itself is named as a lost server', async () => {
  const config = { host: '127.0.0.1', port: await resettingServer(), user: 'anybody' };
  const pool = openPool({ config, shown: 'the server' }, { database: 'd', maxConnections: 1, applicationName: 'test' });
  onTestFinished(() => pool.end());
  const lost = { code: 'POSTGRES_LOST', kind: 'database', message: expect.stringContaining('the server was lost') };
  await expect(pool.query('select 1')).rejects.toMatchObject(lost);
});

/** A server that lets everybody in, and says nothing more, without closing: as one whose process stands still. */
async function silentServer(): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', () => socket.write(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY])));
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('PG-3 SQ-8 a server that answers no more, and does not close, is lost: the statement is given up, its connection with it', async () => {
  const config = { host: '127.0.0.1', port: await silentServer(), user: 'anybody' };
  const pool = openPool(
    { config, shown: 'the server' },
    { database: 'd', maxConnections: 1, applicationName: 'test', answerWithinMs: 50 },
  );
  const lost = { code: 'POSTGRES_LOST', kind: 'database' };
  const client = await pool.connect();
  await expect(client.query('select 1')).rejects.toMatchObject(lost);
  // What rolls back on it does not wait anew.
  await expect(client.query('rollback')).rejects.toThrow(/not queryable|Connection terminated/);
  client.release(true);
  await expect(pool.query('select 1')).rejects.toMatchObject(lost);
  await pool.end();
}, 10_000);

test('PG-3 a connection that is ended is cut where its server does not close it', async () => {
  const config = { host: '127.0.0.1', port: await silentServer(), user: 'anybody' };
  const options = { database: 'd', maxConnections: 1, applicationName: 'test', answerWithinMs: 50 };
  const pool = openPool({ config, shown: 'the server' }, options);
  const client = await pool.connect();
  const ended = new Promise<void>((resolve) => void client.once('end', resolve));
  client.release();
  await pool.end();
  await ended;
}, 10_000);

import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { loopbackServer, sendJson } from '../../../test/loopback-server.ts';
import { poolFetch } from './pool-fetch.ts';

const open: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const opened of open.splice(0).reverse()) await opened.close();
});

async function served(...[answer]: Parameters<typeof loopbackServer>) {
  const server = await loopbackServer(answer);
  open.push(server);
  return server;
}

function pool(options: Partial<Parameters<typeof poolFetch>[0]> = {}) {
  const made = poolFetch({ connections: 4, timeoutMs: 60_000, ...options });
  open.push(made);
  return made.fetch;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('poolFetch', () => {
  it('sends what it is given and brings back status, text and the headers that are read', async () => {
    const server = await served((_, response) => {
      response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '7', 'x-other': 'y' });
      response.write('Kreatinin ');
      response.end('µmol/L');
    });
    const response = await pool()(`${server.url}/v1/a?b=c`, {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'user-agent': 'mine' },
      body: '{"µ":1}',
    });
    expect(server.received).toMatchObject([
      {
        method: 'POST',
        path: '/v1/a?b=c',
        headers: { authorization: 'Bearer k', 'user-agent': 'mine', 'accept-encoding': 'identity' },
        body: '{"µ":1}',
      },
    ]);
    expect([response.status, response.ok]).toEqual([429, false]);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/plain',
      'retry-after': '7',
    });
    expect(await response.text()).toBe('Kreatinin µmol/L');
  });

  it('takes every form of address and headers that fetch takes', async () => {
    const server = await served((_, response) => sendJson(response, {}));
    const fetch = pool();
    await fetch(new URL(server.url));
    await fetch(new Request(server.url), { headers: new Headers({ a: '1' }) });
    await fetch(server.url, { headers: [['a', '2']] });
    expect(server.received.map(({ method, headers }) => [method, headers.a])).toEqual([
      ['GET', undefined],
      ['GET', '1'],
      ['GET', '2'],
    ]);
  });

  it('uses a socket again', async () => {
    const ports = new Set<number>();
    const server = await served((_, response) => {
      ports.add(response.socket!.remotePort!);
      sendJson(response, {});
    });
    const fetch = pool({ connections: 1 });
    for (let i = 0; i < 5; i++) await fetch(server.url);
    expect(ports.size).toBe(1);
  });

  it('opens no more sockets than it may', async () => {
    const ports = new Set<number>();
    const server = await served((_, response) => {
      ports.add(response.socket!.remotePort!);
      sendJson(response, {});
    });
    const fetch = pool({ connections: 2 });
    await Promise.all(Array.from({ length: 10 }, () => fetch(server.url)));
    expect(server.received.length).toBe(10);
    expect(ports.size).toBe(2);
  });

  it.each([
    ['that never answers', () => {}],
    ['that stops in the middle', (_: unknown, response: ServerResponse) => response.write('{')],
  ])('gives up on a server %s', async (_, answer) => {
    const server = await served(answer);
    await expect(pool({ timeoutMs: 50 })(server.url)).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'no reply within 0.05 seconds',
    });
  });

  it('gives up when it is told to, before and during a call', async () => {
    const giveUp = new AbortController();
    const server = await served(() => giveUp.abort(new Error('enough')));
    const fetch = pool();
    await expect(fetch(server.url, { signal: giveUp.signal })).rejects.toThrow('enough');
    await expect(fetch(server.url, { signal: giveUp.signal })).rejects.toThrow('enough');
    expect(server.received.length).toBe(1);
  });

  it('does not follow a server elsewhere', async () => {
    const elsewhere = await served((_, response) => sendJson(response, {}));
    const server = await served((_, response) => {
      response.writeHead(307, { location: elsewhere.url });
      response.end();
    });
    expect((await pool()(server.url, { method: 'POST', body: 'x' })).status).toBe(307);
    expect(elsewhere.received).toEqual([]);
  });

  it('copes with replies that have no body', async () => {
    const server = await served((_, response) => {
      response.writeHead(204);
      response.end();
    });
    expect(await (await pool()(server.url)).text()).toBe('');
  });

  it('sends nothing but text', async () => {
    await expect(pool()('http://127.0.0.1:9', { body: new FormData() })).rejects.toThrow('only text');
  });

  it('says why nobody was reached', async () => {
    const server = await loopbackServer(() => {});
    await server.close();
    await expect(pool()(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const rude = createTcpServer((socket) => socket.destroy());
    await expect(pool()(await listening(rude))).rejects.toMatchObject({
      code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/),
    });
    rude.close();
  });

  it('goes through a proxy where the environment names one, and past it where that says so', async () => {
    const target = await served((_, response) => sendJson(response, { from: 'target' }));
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(request.url!);
      const through = connect(Number(new URL(target.url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
      for (const end of [socket, through]) end.on('error', () => {});
    });
    const HTTP_PROXY = await listening(proxy);
    const reply = await pool({ env: { HTTP_PROXY } })('http://models.example/v1', {
      method: 'POST',
      body: '',
    });
    expect(await reply.json()).toEqual({ from: 'target' });
    expect(tunnels).toEqual(['models.example:80']);
    await pool({ env: { HTTP_PROXY, NO_PROXY: '127.0.0.1' } })(target.url);
    expect(tunnels.length).toBe(1);
    proxy.closeAllConnections();
    proxy.close();
  });

  it('lets a process end that did not close it', async () => {
    const server = await served((_, response) => sendJson(response, { ok: true }));
    const module = fileURLToPath(new URL('./pool-fetch.ts', import.meta.url));
    const script = `
      const { poolFetch } = await import(${JSON.stringify(module)});
      const { fetch } = poolFetch({ connections: 4, timeoutMs: 600_000 });
      console.log(await (await fetch(${JSON.stringify(server.url)})).text());`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect([code, printed.trim()]).toEqual([0, '{"ok":true}']);
  });
});

import { createServer, type Server } from 'node:http';

/** Opens a server that answers `GET /metrics` with the result of `read`. Port 0: any free port. */
export async function openMetricsServer(
  { port, host }: { port: number; host?: string },
  contentType: string,
  read: () => Promise<string>,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, host, done));
  return server;
}

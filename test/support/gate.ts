import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy to a database server. It can be shut, or frozen: then connections stay open without traffic. */
export class Gate {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;
  private isFrozen = false;
  /** Number of commits that clients have sent. */
  commits = 0;
  /** Number of commits whose responses pass before one response is lost. */
  private answeredCommits = Infinity;
  private garbled: Buffer | undefined;

  constructor(private readonly databaseUrl: string) {}

  /** The URL of the database through the gate. */
  get url(): string {
    const url = new URL(this.databaseUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.toString();
  }

  /** Reserves a port without listening on it. */
  async reserve(): Promise<void> {
    await this.open();
    await this.shut();
  }

  async open(): Promise<void> {
    this.server = createServer((near) => this.join(near));
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  async shut(): Promise<void> {
    if (this.server === undefined) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    this.server = undefined;
    await closed;
  }

  freeze(): void {
    this.isFrozen = true;
    this.sockets.forEach((socket) => socket.pause());
  }

  thaw(): void {
    this.isFrozen = false;
    this.sockets.forEach((socket) => socket.resume());
  }

  /** Lets `answered` commits pass. The next one reaches the server, but its connection breaks before the response. */
  loseCommit(answered: number): void {
    this.answeredCommits = answered;
  }

  /** Closes all connections. New ones pass. */
  cut(): void {
    this.sockets.forEach((socket) => socket.destroy());
    this.sockets.clear();
  }

  /** Replaces `word` on its way to the server by an unknown word of the same length. `undefined` ends this. */
  garble(word: string | undefined): void {
    this.garbled = word === undefined ? undefined : Buffer.from(word);
  }

  /** Whether the response to a commit that is sent now gets lost. */
  private isLost(): boolean {
    this.commits += 1;
    this.answeredCommits -= 1;
    if (this.answeredCommits >= 0) return false;
    this.answeredCommits = Infinity;
    return true;
  }

  private join(near: Socket): void {
    const { hostname, port } = new URL(this.databaseUrl);
    const far = connect(Number(port || '3306'), hostname);
    let isLosing = false;
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.on('data', (bytes: Buffer) => {
        if (socket === near && this.garbled !== undefined) spoil(bytes, this.garbled);
        // Not READ COMMITTED, which a new connection is set to.
        if (socket === near && /\bCOMMIT\b/.test(bytes.toString('latin1'))) isLosing = this.isLost();
        // The server has committed. These bytes are its response, which must get lost.
        if (socket === far && isLosing) near.destroy();
        else other.write(bytes);
      });
      if (this.isFrozen) socket.pause();
    }
  }
}

function spoil(bytes: Buffer, word: Buffer): void {
  const at = bytes.indexOf(word);
  if (at >= 0) bytes.fill('x', at, at + word.length);
}

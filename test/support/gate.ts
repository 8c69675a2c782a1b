import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a database server that can be shut, and frozen: connections stay, and nothing comes through. */
export class Gate {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;
  private isFrozen = false;
  /** How many commits are still answered before the one whose answer is lost. */
  private answeredCommits = Infinity;
  private garbled: Buffer | undefined;

  constructor(private readonly databaseUrl: string) {}

  /** The address of the database through the gate. */
  get url(): string {
    const url = new URL(this.databaseUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.toString();
  }

  /** Takes a port without listening at it. */
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

  /** The commit after `answered` others reaches the server, and the connection breaks before its answer arrives. */
  loseCommit(answered: number): void {
    this.answeredCommits = answered;
  }

  /** Cuts all connections; new ones are let through. */
  cut(): void {
    this.sockets.forEach((socket) => socket.destroy());
    this.sockets.clear();
  }

  /** From now on `word` reaches the server as another one of its length, which it does not know; undefined: no more. */
  garble(word: string | undefined): void {
    this.garbled = word === undefined ? undefined : Buffer.from(word);
  }

  private join(near: Socket): void {
    const { hostname, port } = new URL(this.databaseUrl);
    const far = connect(Number(port || '3306'), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => other.destroy());
      socket.on('data', (bytes: Buffer) => {
        if (socket === near && this.garbled !== undefined) spoil(bytes, this.garbled);
        if (socket === near && bytes.includes('COMMIT')) this.answeredCommits -= 1;
        // The server has carried it out: this would be its answer.
        if (socket === far && this.answeredCommits < 0) {
          this.answeredCommits = Infinity;
          near.destroy();
        } else other.write(bytes);
      });
      if (this.isFrozen) socket.pause();
    }
  }
}

function spoil(bytes: Buffer, word: Buffer): void {
  const at = bytes.indexOf(word);
  if (at >= 0) bytes.fill('x', at, at + word.length);
}

import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** Between a browser and Sightline: connections that can go dead without a word, as they do when a machine sleeps. */
export class Wire {
  readonly url: string;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async to(target: string): Promise<Wire> {
    const { host, hostname, port } = new URL(target);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const wire = new Wire(server, `http://${own}`);
    server.on('connection', (browser) => {
      const sightline = connect(Number(port), hostname);
      const pair = [browser, sightline] as const;
      wire.#pairs.add(pair);
      // Sightline answers to its own name only.
      browser.on('data', (bytes: Buffer) => {
        sightline.write(bytes.toString('latin1').replaceAll(own, host), 'latin1');
      });
      sightline.on('data', (bytes: Buffer) => void browser.write(bytes));
      for (const [end, other] of [pair, [sightline, browser] as const]) {
        end.on('error', () => undefined);
        end.on('close', () => {
          wire.#pairs.delete(pair);
          if (!end.isPaused()) other.destroy();
        });
      }
      if (wire.#isCut) for (const end of pair) end.pause();
    });
    return wire;
  }

  /** Nothing passes any more, on old connections and on new ones; nobody is told. */
  cut(): void {
    this.#isCut = true;
    for (const end of [...this.#pairs].flat()) end.pause();
  }

  /** New connections pass; the old ones stay dead. */
  mend(): void {
    this.#isCut = false;
  }

  async dispose(): Promise<void> {
    for (const end of [...this.#pairs].flat()) end.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

import { request, type ClientRequest, type IncomingMessage } from 'node:http';

/** What a browser is to the dashboard: one link exchanged for a cookie, calls with it, and the stream of events. */
export class DashboardClient {
  readonly #newLink: () => Promise<string>;
  #entered: Promise<{ origin: string; cookie: string }> | undefined;

  constructor(newLink: () => Promise<string>) {
    this.#newLink = newLink;
  }

  /** The process has ended, or another one is there. */
  forget(): void {
    this.#entered = undefined;
  }

  async call(path: string, body: string, signal: AbortSignal): Promise<{ status: number; body: string }> {
    const { origin, cookie } = await this.#session();
    const sent = request(origin + path, { method: 'POST', headers: { ...headers(origin, cookie) }, signal });
    sent.end(body);
    const answer = await answered(sent);
    if (answer.statusCode === 401) this.forget();
    return { status: answer.statusCode ?? 500, body: await textOf(answer) };
  }

  /** Until the signal, or until the process hangs up. */
  async listen(onData: (data: string) => void, signal: AbortSignal): Promise<void> {
    const { origin, cookie } = await this.#session();
    const sent = request(`${origin}/dashboard/events`, { headers: { cookie }, signal });
    sent.end();
    const answer = await answered(sent);
    if (answer.statusCode !== 200) {
      this.forget();
      answer.resume();
      return;
    }
    let rest = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      const events = (rest + String(chunk)).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = event.split('\n').filter((line) => line.startsWith('data:'));
        if (data.length > 0) onData(data.map((line) => line.slice(5).trimStart()).join('\n'));
      }
    }
  }

  #session(): Promise<{ origin: string; cookie: string }> {
    this.#entered ??= this.#enter().catch((error: unknown) => {
      this.forget();
      throw error;
    });
    return this.#entered;
  }

  async #enter(): Promise<{ origin: string; cookie: string }> {
    const link = new URL(await this.#newLink());
    const sent = request(`${link.origin}/dashboard/session`, { method: 'POST', headers: headers(link.origin) });
    sent.end(JSON.stringify({ token: link.hash.slice(1) }));
    const answer = await answered(sent);
    answer.resume();
    const [cookie = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';');
    if (cookie === '') throw new Error('The dashboard did not let this window in.');
    return { origin: link.origin, cookie };
  }
}

function headers(origin: string, cookie?: string): Record<string, string> {
  return { 'content-type': 'application/json', origin, ...(cookie === undefined ? {} : { cookie }) };
}

function answered(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
  return text;
}

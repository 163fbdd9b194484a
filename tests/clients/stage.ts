import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram, eventually } from '../support/program.ts';
import { ClientHome } from './clientHome.ts';
import { ScriptedModel, type ScriptedTurn } from './model/scriptedModel.ts';
import { ModelView } from './modelView.ts';
import { OtherClient } from './otherClient.ts';
import { ClientRun, installClient, prepareHome, type RealClient } from './realClient.ts';
import { asOffered, endlessCall, lookUpTurns, placeOf, turnsOf } from './script.ts';

const prompt = 'Look after the shop.';
const shared = /sightline\.js shared$/;
/** What the second client keeps alive: its shim, its program, and the language server that the process holds for all. */
const others = [shared, /sightline\.js stdio$/, /other\.js/, /tsgo|typescript/];

/** What another client sees of the process at one time. */
interface Surroundings {
  process: number;
  /** Where the program that it debugs stands. */
  stack: string;
  /** What runs for the home and is not expected to. */
  left: string[];
}

/** The whole course of one client's scenario, performed once; the tests look at what came of it. */
export class Stage {
  readonly client: RealClient;
  readonly home: ClientHome;
  readonly model: ScriptedModel;
  view: ModelView;
  /** The other client's answers to the same calls. */
  readonly expected = { probe: '', references: '', failing: '' };
  /** What the person was told about the call that they approved, and whether it was done before. */
  approval = '';
  wasDoneUnasked = true;
  exit: number | string = '';
  output = '';
  interruptedExit: number | string = '';
  readonly at: Partial<Record<'before' | 'afterExit' | 'afterInterrupt', Surroundings>> = {};
  /** How long each part took, for a person who wonders. */
  readonly #times: [string, number][] = [];
  readonly #command: readonly string[];
  readonly #runs: ClientRun[] = [];
  #other: OtherClient | undefined;

  private constructor(client: RealClient, command: readonly string[], home: ClientHome, model: ScriptedModel) {
    this.client = client;
    this.home = home;
    this.model = model;
    this.view = new ModelView(client, []);
    this.#command = command;
  }

  static async perform(client: RealClient): Promise<Stage> {
    const command = await installClient(client);
    const home = await ClientHome.create(await builtProgram());
    // Chores such as finding a title for the conversation offer no tools.
    const model = await ScriptedModel.start(({ tools }) => tools.length > 0);
    const stage = new Stage(client, command, home, model);
    try {
      prepareHome(client, home.home, model.url);
      const { code, stderr } = await home.run('install', client.id, '--yes');
      if (code !== 0) throw new Error(`sightline install ${client.id} failed: ${stderr}`);
      await stage.#converse();
      await stage.#interrupt();
      stage.#show();
    } catch (error) {
      await stage.dispose();
      throw error;
    }
    return stage;
  }

  get other(): OtherClient {
    if (this.#other !== undefined) return this.#other;
    throw new Error(`${this.client.title} ended (${this.exit}) before its second turn:\n${this.output.slice(-4000)}`);
  }

  /** Sends the other client home and stops the process; gives back what still runs. */
  async stop(): Promise<string[]> {
    await this.other.leave();
    await this.home.run('stop');
    return this.home.onlyLeft();
  }

  async dispose(): Promise<void> {
    for (const run of this.#runs) run.kill();
    await this.model.dispose();
    await this.home.dispose();
  }

  async #converse(): Promise<void> {
    const { client } = this;
    const asked = placeOf(client, 'approval').turn;
    const person = this.#answerAsPerson(asked);
    const after = new Map([
      // The client has started the process with its first call; now another joins.
      [placeOf(client, 'long').turn, () => this.#joinOther()],
      [asked + 1, () => person],
    ]);
    const script: ScriptedTurn[] = [
      ...lookUpTurns(client),
      ...turnsOf(client).map((calls) => asOffered(client, calls)),
      { text: 'All done.' },
    ];
    this.model.script = script.map((turn, number) => ({ ...turn, after: after.get(number) }));
    const run = this.#start();
    this.exit = await run.exit;
    this.output = run.output;
    this.#mark('exit');
    this.view = new ModelView(client, [...this.model.requests]);
    this.at.afterExit = await this.#surroundings();
    this.#mark('quiet after exit');
  }

  /** Ctrl-C while a call is at work. */
  async #interrupt(): Promise<void> {
    this.model.requests.length = 0;
    this.model.script = [...lookUpTurns(this.client), asOffered(this.client, [endlessCall])];
    const run = this.#start();
    const isAtWork = () => this.home.processes().some(({ command }) => command.includes('endless.js'));
    if (!(await eventually(isAtWork, 60_000)))
      throw new Error(`${this.client.title} never made its call:\n${run.output.slice(-4000)}`);
    this.#mark('at work');
    run.interrupt();
    this.interruptedExit = await Promise.race([run.exit, pause(20_000).then(() => 'still running')]);
    this.#mark('interrupted');
    this.at.afterInterrupt = await this.#surroundings();
    this.#mark('quiet after interrupt');
  }

  #start(): ClientRun {
    const proxy = this.model.url;
    // The model is its way out too, so that we see whom else it wants to talk to.
    const way = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '127.0.0.1,localhost' };
    const env = { ...this.home.env, ...way, ...this.client.env(this.model.url) };
    const run = new ClientRun(this.#command, this.client.args(prompt), this.home.project, env);
    this.#runs.push(run);
    this.#mark('start');
    return run;
  }

  async #joinOther(): Promise<void> {
    if (this.#other !== undefined) return;
    this.#other = await OtherClient.connect(this.home);
    for (const { step, tool, args } of turnsOf(this.client).flat())
      if (step === 'probe' || step === 'references' || step === 'failing')
        this.expected[step] = await this.#other.text(tool, args);
    this.at.before = { process: this.#process(), stack: await this.#other.stack(), left: [] };
  }

  /** The person at the terminal, who approves what waits for them. */
  async #answerAsPerson(turn: number): Promise<void> {
    await this.model.requestAt(turn);
    let isAnswered = false;
    void this.model.requestAt(turn + 1).then(() => (isAnswered = true));
    for (let isLate = false; !isLate && this.approval === '';) {
      // Once the call is answered a ticket is there or never comes.
      isLate = isAnswered;
      const [ticket] = /^ticket\S+/m.exec((await this.home.run('approve', '--list')).stdout) ?? [];
      if (ticket === undefined) continue;
      this.wasDoneUnasked = this.home.file('.husky/check.sh') !== undefined;
      this.approval = (await this.home.run('approve', ticket, '--yes')).stdout;
    }
  }

  async #surroundings(): Promise<Surroundings> {
    const left = await this.home.onlyLeft(...others);
    return { process: this.#process(), stack: await this.other.stack(), left };
  }

  #process(): number {
    return this.home.processes().find(({ command }) => shared.test(command))?.pid ?? 0;
  }

  #mark(name: string): void {
    this.#times.push([name, Date.now()]);
  }

  /** For a person who wants to see what the model sees: SIGHTLINE_CLIENTS_SHOW names a folder. */
  #show(): void {
    const folder = process.env['SIGHTLINE_CLIENTS_SHOW'];
    if (folder === undefined) return;
    mkdirSync(folder, { recursive: true });
    const { approval, output, view } = this;
    const text = JSON.stringify(
      { times: this.#times, approval, output, others: this.model.others, requests: view.requests },
      null,
      1,
    );
    writeFileSync(join(folder, `${this.client.id}.json`), text);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds).unref());
}

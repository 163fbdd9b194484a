export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogRecord {
  time: Date;
  level: LogLevel;
  tag: string;
  message: string;
  detail?: unknown;
}

export type LogSink = (record: LogRecord) => void;

/** A tagged logger. Where records go is decided by who composes the process. */
export class Logger {
  readonly #sink: LogSink;
  readonly #tag: string;

  constructor(sink: LogSink, tag = 'sightline') {
    this.#sink = sink;
    this.#tag = tag;
  }

  tagged(tag: string): Logger {
    return new Logger(this.#sink, tag);
  }

  debug(message: string, detail?: unknown): void {
    this.#write('debug', message, detail);
  }

  info(message: string, detail?: unknown): void {
    this.#write('info', message, detail);
  }

  warn(message: string, detail?: unknown): void {
    this.#write('warn', message, detail);
  }

  error(message: string, detail?: unknown): void {
    this.#write('error', message, detail);
  }

  #write(level: LogLevel, message: string, detail: unknown): void {
    this.#sink({ time: new Date(), level, tag: this.#tag, message, detail });
  }
}

export const silentLogger = new Logger(() => undefined);

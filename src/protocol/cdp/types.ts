import type { Protocol } from 'devtools-protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';

export type { Protocol };

/** The commands we send: V8's own and the ones Node adds, which the public protocol files do not list. */
interface CdpCommands extends Pick<ProtocolMapping.Commands, V8Command> {
  'NodeRuntime.notifyWhenWaitingForDisconnect': { paramsType: [{ enabled: boolean }]; returnType: void };
  'NodeWorker.enable': { paramsType: [{ waitForDebuggerOnStart: boolean }]; returnType: void };
  'NodeWorker.sendMessageToWorker': { paramsType: [{ sessionId: string; message: string }]; returnType: void };
  'NodeWorker.detach': { paramsType: [{ sessionId: string }]; returnType: void };
}

type V8Command = Extract<
  keyof ProtocolMapping.Commands,
  `Debugger.${string}` | `Runtime.${string}` | `Profiler.${string}`
>;

interface CdpEvents extends Pick<ProtocolMapping.Events, V8Event> {
  'NodeRuntime.waitingForDisconnect': [];
  'NodeWorker.attachedToWorker': [
    {
      sessionId: string;
      workerInfo: { workerId: string; type: string; title: string; url: string };
      waitingForDebugger: boolean;
    },
  ];
  'NodeWorker.detachedFromWorker': [{ sessionId: string }];
  'NodeWorker.receivedMessageFromWorker': [{ sessionId: string; message: string }];
}

type V8Event = Extract<keyof ProtocolMapping.Events, `Debugger.${string}` | `Runtime.${string}`>;

export type CdpMethod = keyof CdpCommands;
export type CdpEventName = keyof CdpEvents;
export type CdpParams<M extends CdpMethod> = CdpCommands[M]['paramsType'];
export type CdpResult<M extends CdpMethod> = CdpCommands[M]['returnType'];
export type CdpEvent<E extends CdpEventName> = CdpEvents[E][0];

import type { Socket } from 'node:net';
import { DapListener } from '../../../../protocol/dap/transports.ts';
import { JdwpConnection } from '../../../../protocol/jdwp/connection.ts';
import { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { RecordedCommand, Recorder, RecorderContext } from '../../ask/recorder.ts';
import type { LaunchSpec } from '../../model.ts';
import { JvmRecording } from '../../targets/jvm/recorder/jvmRecording.ts';
import { agentOption, type CommandOf } from './jvmBackend.ts';

const handshakeMs = 5000;

/** Java programs are recorded by their machine's debug protocol: it calls us as a debugged one does, each machine that a test runner starts too. */
export function javaRecorder(commandOf: CommandOf): Recorder {
  return { isOutside: true, command: (spec, context) => recordedCommand(spec, context, commandOf) };
}

async function recordedCommand(
  spec: LaunchSpec,
  { project, orders }: RecorderContext,
  commandOf: CommandOf,
): Promise<RecordedCommand> {
  const joined: Promise<JvmRecording | undefined>[] = [];
  const join = async (stream: Socket): Promise<JvmRecording | undefined> => {
    const connection = new JdwpConnection(stream);
    try {
      await connection.open(handshakeMs);
      const recording = new JvmRecording(new JdwpMachine(connection), project, orders, joined.length);
      await recording.begin();
      return recording;
    } catch {
      // It ended before it could be spoken to; what it printed says why.
      connection.dispose();
      return undefined;
    }
  };
  const listener = await DapListener.open(({ readable }) => {
    // The listener hands out both halves of one socket.
    joined.push(join(readable as Socket));
  });
  const end = async () => {
    listener.close();
    for (const recording of await Promise.all(joined)) await recording?.end();
    listener.dispose();
  };
  try {
    const { command, args } = await commandOf(spec, agentOption(listener.port));
    return { command, args, env: {}, end };
  } catch (error) {
    await end();
    throw error;
  }
}

import type { EnginesOnNeed } from '../../provision/enginesOnNeed.ts';
import type { AdapterDescription } from '../target.ts';
import { AdapterBackend } from '../targets/dap/adapterBackend.ts';
import { DapTarget } from '../targets/dap/dapTarget.ts';
import { rustFunctionLines } from './bracedFunctions.ts';
import { isRustBinary } from './gdb/binaries.ts';
import { gdbAdapter, gdbRecorder } from './gdb/gdbAdapter.ts';
import { dangerousCalls, nativeCode } from './gdb/nativeCode.ts';
import { programLaunch } from './gdb/rustProgram.ts';
import { testLaunch } from './gdb/rustTests.ts';
import { folderWith, isFolder } from './gdb/sourceFiles.ts';

/** Rust by gdb, with the printers of its own toolchain. */
export function rustAdapter(engines: EnginesOnNeed): AdapterDescription {
  const need = { purpose: 'debug Rust' };
  return {
    language: 'rust',
    aliases: ['rs', 'cargo'],
    fileExtensions: ['.rs'],
    recognises: (path) =>
      isRustBinary(path) || (isFolder(path) && folderWith(['Cargo.toml'], path, path) !== undefined),
    runsIn: isRustBinary,
    createTarget: (context) => new DapTarget('rust', new AdapterBackend(gdbAdapter(engines, context, 'rust')), context),
    resolveProgram: async (request) => {
      await engines.get('gdb', { ...need, project: request.project, progress: request.progress });
      return programLaunch(request);
    },
    resolveTest: async (request) => {
      await engines.get('gdb', { ...need, project: request.project, progress: request.progress });
      return testLaunch(request);
    },
    testsAreOver: (_spec, output) => /^test result: /m.test(output),
    guardsBreakpoints: true,
    functionLines: rustFunctionLines,
    codeOf: nativeCode,
    dangerousPatterns: dangerousCalls,
    recorder: gdbRecorder(engines, 'rust'),
  };
}

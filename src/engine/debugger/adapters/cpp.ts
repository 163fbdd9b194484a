import type { EnginesOnNeed } from '../../provision/enginesOnNeed.ts';
import type { AdapterDescription } from '../target.ts';
import { AdapterBackend } from '../targets/dap/adapterBackend.ts';
import { DapTarget } from '../targets/dap/dapTarget.ts';
import { declaredFunctionLines } from './bracedFunctions.ts';
import { isBinary } from './gdb/binaries.ts';
import { programLaunch } from './gdb/cppProgram.ts';
import { testLaunch } from './gdb/cppTests.ts';
import { gdbAdapter, gdbRecorder } from './gdb/gdbAdapter.ts';
import { dangerousCalls, nativeCode } from './gdb/nativeCode.ts';
import { cppExtensions, isFolder, folderWith } from './gdb/sourceFiles.ts';

const headers = ['.h', '.hh', '.hpp', '.hxx', '.ipp', '.inl'];

/** C and C++ by gdb. Also what is compiled from any other language that no other adapter knows. */
export function cppAdapter(engines: EnginesOnNeed): AdapterDescription {
  const ready = (project: Parameters<typeof engines.get>[1]['project'], progress?: (message: string) => void) =>
    engines.get('gdb', { project, purpose: 'debug C and C++', progress });
  return {
    language: 'cpp',
    aliases: ['c', 'c++', 'cxx', 'gdb', 'native'],
    fileExtensions: [...cppExtensions, ...headers],
    yieldsToOthers: true,
    recognises: (path) =>
      isBinary(path) || (isFolder(path) && folderWith(['CMakeLists.txt', 'Makefile'], path, path) !== undefined),
    runsIn: isBinary,
    createTarget: (context) => new DapTarget('cpp', new AdapterBackend(gdbAdapter(engines, context, 'cpp')), context),
    resolveProgram: async (request) => {
      await ready(request.project, request.progress);
      return programLaunch(request);
    },
    resolveTest: async (request) => {
      await ready(request.project, request.progress);
      return testLaunch(request);
    },
    testsAreOver: (_spec, output) => /^\[==========\].*ran\./m.test(output),
    guardsBreakpoints: true,
    functionLines: declaredFunctionLines,
    codeOf: nativeCode,
    dangerousPatterns: dangerousCalls,
    recorder: gdbRecorder(engines, 'cpp'),
  };
}

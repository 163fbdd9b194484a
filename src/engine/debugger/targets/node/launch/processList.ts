import { basename } from 'node:path';
import type { ProcessNode } from '../../../model.ts';

/** The processes and workers of a session, as a tree. */
export class ProcessList {
  readonly #nodes: ProcessNode[] = [];
  readonly #byPid = new Map<number, ProcessNode>();

  all(): ProcessNode[] {
    return this.#nodes.map((node) => ({ ...node }));
  }

  ofPid(pid: number | undefined): ProcessNode | undefined {
    return pid === undefined ? undefined : this.#byPid.get(pid);
  }

  /** A process that is known already gets the name it now gives itself. */
  add(pid: number | undefined, parentId: string | undefined, title: string): ProcessNode {
    const known = this.ofPid(pid);
    if (known !== undefined) return Object.assign(known, { title });
    const node: ProcessNode = {
      id: `p${this.#nodes.length + 1}`,
      kind: 'process',
      title,
      pid,
      parentId,
    };
    this.#nodes.push(node);
    if (pid !== undefined) this.#byPid.set(pid, node);
    return node;
  }

  addWorker(process: ProcessNode, worker: { workerId: string; title: string; url: string }): ProcessNode {
    const { workerId, title, url } = worker;
    const node: ProcessNode = {
      id: `${process.id}.w${workerId}`,
      parentId: process.id,
      kind: 'worker',
      title: `worker ${workerId} (${basename(url === '' ? title : url)})`,
      pid: process.pid,
    };
    this.#nodes.push(node);
    return node;
  }
}

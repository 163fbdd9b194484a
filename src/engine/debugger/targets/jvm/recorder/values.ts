import { PeerError } from '../../../../../base/errors.ts';
import { isObject, type JdwpValue } from '../../../../../protocol/jdwp/packets.ts';
import type { RecordedValue } from '../../../ask/model.ts';
import type { ValueLimits } from '../../../model.ts';
import type { Drawing } from '../drawing.ts';

/** Draws values as recordings hold them. */
export class RecordedValues {
  readonly #drawing: Drawing;
  readonly #limits: ValueLimits;

  constructor(drawing: Drawing, maxValueChars: number) {
    this.#drawing = drawing;
    this.#limits = { maxValueChars, maxStringChars: maxValueChars, maxItems: 8, depth: 2 };
  }

  async of(value: JdwpValue): Promise<RecordedValue> {
    try {
      const text = await this.#drawing.text(value, this.#limits);
      return hasIdentity(value) ? { text, object: value.objectId } : { text };
    } catch (error) {
      // The program let go of it since.
      if (error instanceof PeerError) return { text: '(gone)' };
      throw error;
    }
  }
}

/** Whether it can be changed by others who have it, too. */
export function hasIdentity(value: JdwpValue): value is Extract<JdwpValue, { objectId: number }> {
  return isObject(value) && value.objectId !== 0 && value.tag !== 's';
}

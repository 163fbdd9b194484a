import { list, record, text, type Loose } from './loose.ts';
import type { ThreadOption } from './model.ts';

/** How a choice is told to the agent. Modes and models had requests of their own before there were config options. */
type OptionRoute = 'config' | 'mode' | 'model';

export interface KnownOptions {
  options: ThreadOption[];
  routes: Map<string, OptionRoute>;
}

/** The options of a session as `session/new`, `load` or `resume` tells them. */
export function optionsOf(session: Loose): KnownOptions {
  const known = configOptions(session['configOptions']);
  const has = (category: string) => known.options.some((option) => option.category === category);
  const modes = record(session['modes']);
  if (!has('mode') && list(modes['availableModes']).length > 0)
    add(known, 'mode', 'Mode', text(modes['currentModeId']), list(modes['availableModes']), 'id');
  const models = record(session['models']);
  if (!has('model') && list(models['availableModels']).length > 0)
    add(known, 'model', 'Model', text(models['currentModelId']), list(models['availableModels']), 'modelId');
  return known;
}

function configOptions(value: unknown): KnownOptions {
  const options = list(value).flatMap((each): ThreadOption[] => {
    const { id, name, description, category, type, currentValue, options: choices } = record(each);
    if (typeof id !== 'string') return [];
    const common = {
      id,
      name: text(name) ?? id,
      ...optional('description', description),
      ...optional('category', category),
    };
    if (type === 'boolean') return [{ ...common, type, value: currentValue === true, choices: [] }];
    return [{ ...common, type: 'select', value: text(currentValue) ?? '', choices: list(choices).flatMap(choicesOf) }];
  });
  return { options, routes: new Map(options.map(({ id }) => [id, 'config' as const])) };
}

/** All of its config options anew; modes and models that it told beside them stay. */
export function withConfig(known: KnownOptions, value: unknown): KnownOptions {
  const fresh = configOptions(value);
  const isBeside = ({ id, category }: ThreadOption) =>
    known.routes.get(id) !== 'config' &&
    !fresh.options.some((option) => option.id === id || option.category === category);
  const beside = known.options.filter(isBeside);
  for (const { id } of beside) fresh.routes.set(id, known.routes.get(id) ?? 'config');
  return { options: [...fresh.options, ...beside], routes: fresh.routes };
}

/** A value was changed, by us or by the agent. */
export function withValue(known: KnownOptions, id: string, value: string | boolean): KnownOptions {
  return { ...known, options: known.options.map((option) => (option.id === id ? { ...option, value } : option)) };
}

function add(
  { options, routes }: KnownOptions,
  id: 'mode' | 'model',
  name: string,
  value: string | undefined,
  choices: readonly unknown[],
  key: string,
): void {
  options.push({
    id,
    name,
    category: id,
    type: 'select',
    value: value ?? '',
    choices: choices.flatMap((each) => choice(record(each), key)),
  });
  routes.set(id, id);
}

function choicesOf(value: unknown): ThreadOption['choices'] {
  const each = record(value);
  if (!Array.isArray(each['options'])) return choice(each, 'value');
  const group = text(each['name']) ?? text(each['group']) ?? '';
  return list(each['options']).flatMap((inner) => choice(record(inner), 'value').map((one) => ({ ...one, group })));
}

function choice(each: Loose, key: string): ThreadOption['choices'] {
  const value = text(each[key]);
  if (value === undefined) return [];
  return [{ value, name: text(each['name']) ?? value, ...optional('description', each['description']) }];
}

function optional<Key extends string>(key: Key, value: unknown): Partial<Record<Key, string>> {
  return typeof value === 'string' ? ({ [key]: value } as Partial<Record<Key, string>>) : {};
}

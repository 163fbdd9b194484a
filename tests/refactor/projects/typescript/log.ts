export interface Entry {
  amount: number;
  label: string;
}

export const lines: string[] = [];

export function logged<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
  context: ClassMethodDecoratorContext,
): (this: This, ...args: Args) => Result {
  const name = String(context.name);
  return function (this: This, ...args: Args): Result {
    lines.push(`${name}(${args.join()})`);
    return method.call(this, ...args);
  };
}

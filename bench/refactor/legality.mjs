// A random place often allows no such refactoring at all: nobody could carry it out there and keep the meaning. Such a place is no attempt.
// Everything else that is refused counts as a failure, whatever the reason: what the engine merely cannot do is a failure too.

const withoutMeaning = {
  rename: [
    // Names that belong to the language or to a library.
    /defined in the standard TypeScript library|defined in a 'node_modules'|You cannot rename this element|is not part of the project/,
    /knows no symbol|no name at/,
  ],
  extract: [
    // What is selected is no value or no sequence of statements that a function could be made of.
    /Cannot extract (?:empty range|import statement|'?super'?|range containing conditional return|range containing writes to references located outside|range containing conditional break)/i,
    /Cannot extract to (?:a )?JS class|Return statement cannot be extracted|Cannot extract range\b/i,
    /not something a (?:function|variable) can be made of|type cannot be extracted|extract identifier|Select more than a single identifier|No reason to extract constant of type/i,
  ],
  inline: [
    // There is no use, or no value, or it is not always the same.
    /is not used anywhere|is never called|is assigned again|has no initial value|calls itself|has no body/,
    // Its value, or what it does, would come more often, later or in another order; or names would mean something else.
    /side effects|evaluated in another order|in between|object of its own|means something else|when they use it|read later/,
    // Nobody outside could have what it needs; or nothing would be left of the meaning of an export.
    /other files cannot import|is exported, so others may use it|no single declaration/,
    /a generator cannot be inlined|uses "arguments"|uses "this"|new\.target or super|is constructed on line|different functions then/,
    /a way that a value cannot stand for|its definition cannot stand for|has parameters of its own/,
  ],
  move: [/is not declared at the top level/],
  moveFile: [],
};

export function isLegal(kind, reason) {
  return !withoutMeaning[kind].some((pattern) => pattern.test(reason));
}

import type { GrammarId } from '../../provision/engines/servers/grammars.ts';

/** What is to be known about a language to read its syntax tree: which nodes declare something, and which are no code. */
interface SyntaxQuery {
  extensions: readonly string[];
  /** Tree-sitter patterns; the name of a capture is the kind of symbol, `_` for what only a condition needs. */
  declarations: string;
  /** Comments and literals: a word in them is no use of a symbol. */
  text: readonly string[];
  /** Code within literals. */
  code?: readonly string[];
  imports?: readonly string[];
}

export const syntaxQueries: Readonly<Record<GrammarId, SyntaxQuery>> = {
  go: {
    extensions: ['go'],
    declarations: `
      (function_declaration) @function (method_declaration) @method (method_elem) @method (field_declaration) @field
      (type_spec type: (struct_type)) @struct (type_spec type: (interface_type)) @interface
      (type_spec type: [(type_identifier) (qualified_type) (pointer_type) (function_type) (map_type) (slice_type) (array_type) (channel_type) (generic_type)]) @type
      (type_alias) @type (const_spec) @constant (var_spec) @variable`,
    text: ['comment', 'interpreted_string_literal', 'raw_string_literal', 'rune_literal'],
    imports: ['import_declaration'],
  },
  rust: {
    extensions: ['rs'],
    declarations: `
      (function_item) @function (function_signature_item) @function (struct_item) @struct (union_item) @struct (enum_item) @enum
      (enum_variant) @enum_member (trait_item) @trait (impl_item) @implementation (mod_item) @module (const_item) @constant
      (static_item) @variable (type_item) @type (associated_type) @type (macro_definition) @macro (field_declaration) @field`,
    text: ['line_comment', 'block_comment', 'string_literal', 'raw_string_literal', 'char_literal'],
    imports: ['use_declaration', 'extern_crate_declaration'],
  },
  c: {
    extensions: ['c', 'h'],
    declarations: cDeclarations(),
    text: ['comment', 'string_literal', 'char_literal', 'system_lib_string'],
    imports: ['preproc_include'],
  },
  cpp: {
    extensions: ['cc', 'cpp', 'cxx', 'hpp', 'hh', 'hxx', 'ipp', 'tpp', 'ino', 'cu'],
    declarations: `${cDeclarations()}
      (class_specifier body: (_)) @class (namespace_definition) @namespace (alias_declaration) @type (concept_definition) @type`,
    text: ['comment', 'string_literal', 'raw_string_literal', 'char_literal', 'system_lib_string'],
    imports: ['preproc_include', 'using_declaration'],
  },
  java: {
    extensions: ['java'],
    declarations: `
      (class_declaration) @class (interface_declaration) @interface (annotation_type_declaration) @interface (enum_declaration) @enum
      (record_declaration) @record (method_declaration) @method (constructor_declaration) @constructor
      (compact_constructor_declaration) @constructor (annotation_type_element_declaration) @method (enum_constant) @enum_member
      (field_declaration (variable_declarator) @field) (constant_declaration (variable_declarator) @constant) (module_declaration) @module`,
    text: ['line_comment', 'block_comment', 'string_literal', 'character_literal'],
    code: ['string_interpolation'],
    imports: ['import_declaration', 'package_declaration'],
  },
  csharp: {
    extensions: ['cs'],
    declarations: `
      (namespace_declaration) @namespace (file_scoped_namespace_declaration) @namespace (class_declaration) @class
      (struct_declaration) @struct (interface_declaration) @interface (enum_declaration) @enum (record_declaration) @record
      (delegate_declaration) @type (method_declaration) @method (constructor_declaration) @constructor (destructor_declaration) @method
      (local_function_statement) @function (property_declaration) @property (event_declaration) @event (enum_member_declaration) @enum_member
      (field_declaration (variable_declaration (variable_declarator) @field))
      (event_field_declaration (variable_declaration (variable_declarator) @event))`,
    text: [
      'comment',
      'string_literal',
      'verbatim_string_literal',
      'raw_string_literal',
      'character_literal',
      'interpolated_string_expression',
    ],
    code: ['interpolation'],
    imports: ['using_directive'],
  },
  ruby: {
    extensions: ['rb', 'rake', 'gemspec'],
    declarations: `
      (module) @module (class) @class (method) @method (singleton_method) @method (assignment left: (constant)) @constant
      ((call method: (identifier) @_ arguments: (argument_list (simple_symbol) @property)) (#match? @_ "^attr_(reader|writer|accessor)$"))`,
    text: ['comment', 'string', 'heredoc_body', 'regex', 'simple_symbol', 'string_array', 'symbol_array', 'subshell'],
    code: ['interpolation'],
  },
  php: {
    extensions: ['php', 'phtml'],
    declarations: `
      (namespace_definition) @namespace (function_definition) @function (class_declaration) @class (interface_declaration) @interface
      (trait_declaration) @trait (enum_declaration) @enum (enum_case) @enum_member (method_declaration) @method
      (property_element) @property (const_element) @constant`,
    text: ['comment', 'string', 'encapsed_string', 'heredoc', 'nowdoc', 'text'],
    code: ['variable_name', 'member_access_expression', 'function_call_expression', 'member_call_expression'],
    imports: ['namespace_use_declaration'],
  },
  bash: {
    extensions: ['sh', 'bash'],
    declarations: `
      (function_definition) @function (program (variable_assignment) @variable)
      (program (declaration_command (variable_assignment) @variable))`,
    text: ['comment', 'raw_string', 'string', 'ansi_c_string', 'heredoc_body'],
    code: ['simple_expansion', 'expansion', 'command_substitution'],
  },
  css: {
    extensions: ['css'],
    declarations: `
      (rule_set) @rule (media_statement) @rule (supports_statement) @rule (keyframes_statement) @rule (at_rule) @rule
      ((declaration (property_name) @_) @variable (#match? @_ "^--"))`,
    text: ['comment', 'string_value'],
    imports: ['import_statement'],
  },
  html: {
    extensions: ['html', 'htm'],
    declarations: `
      ((element (start_tag (attribute (attribute_name) @_))) @element (#eq? @_ "id"))
      ((element (start_tag (tag_name) @_)) @heading (#match? @_ "^h[1-6]$")) (script_element) @element (style_element) @element`,
    text: ['comment'],
  },
  json: { extensions: ['json', 'jsonc'], declarations: '(pair) @key', text: ['comment'] },
  yaml: { extensions: ['yaml', 'yml'], declarations: '(block_mapping_pair) @key', text: ['comment'] },
  toml: {
    extensions: ['toml'],
    declarations: '(table) @table (table_array_element) @table (pair) @key',
    text: ['comment'],
  },
  kotlin: {
    extensions: ['kt', 'kts'],
    declarations: `
      (class_declaration) @class (object_declaration) @object (companion_object) @object (function_declaration) @function
      (secondary_constructor) @constructor
      (property_declaration) @property (type_alias) @type (enum_entry) @enum_member`,
    text: ['line_comment', 'block_comment', 'string_literal', 'multiline_string_literal', 'character_literal'],
    code: ['interpolation'],
    imports: ['import', 'package_header'],
  },
  scala: {
    extensions: ['scala', 'sc'],
    declarations: `
      (trait_definition) @trait (class_definition) @class (object_definition) @object (enum_definition) @enum
      (simple_enum_case) @enum_member (full_enum_case) @enum_member (function_definition) @function (function_declaration) @function
      (val_definition) @variable (var_definition) @variable (type_definition) @type (given_definition) @variable`,
    text: ['comment', 'block_comment', 'string', 'character_literal', 'interpolated_string'],
    code: ['interpolation'],
    imports: ['import_declaration'],
  },
  lua: {
    extensions: ['lua'],
    declarations: `
      (function_declaration) @function
      (assignment_statement (variable_list name: (_)) (expression_list value: (function_definition))) @function
      (chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @variable))))`,
    text: ['comment', 'string'],
  },
  elixir: {
    extensions: ['ex', 'exs'],
    declarations: `
      ((call target: (identifier) @_) @module (#any-of? @_ "defmodule" "defprotocol" "defimpl"))
      ((call target: (identifier) @_) @function (#any-of? @_ "def" "defp" "defguard" "defguardp" "defdelegate"))
      ((call target: (identifier) @_) @macro (#any-of? @_ "defmacro" "defmacrop"))`,
    text: ['comment', 'string', 'charlist', 'sigil', 'quoted_atom'],
    code: ['interpolation'],
  },
  zig: {
    extensions: ['zig'],
    declarations: `
      (function_declaration) @function (variable_declaration (struct_declaration)) @struct (variable_declaration (enum_declaration)) @enum
      (variable_declaration (union_declaration)) @struct (container_field) @field
      (source_file (variable_declaration (identifier) (_) @_) @variable)`,
    text: ['comment', 'string', 'multiline_string', 'character'],
  },
};

const grammarByExtension = new Map<string, GrammarId>(
  Object.entries(syntaxQueries).flatMap(([grammar, { extensions }]) =>
    // The keys of the record are grammar ids; `Object.entries` forgets it.
    extensions.map((extension) => [extension, grammar as GrammarId] as const),
  ),
);

export function grammarOf(extension: string): GrammarId | undefined {
  return grammarByExtension.get(extension);
}

/** Extensions whose files can use each other's symbols. */
export function relatedExtensions(extension: string): readonly string[] {
  const grammar = grammarOf(extension);
  if (grammar === undefined) return [extension];
  if (grammar === 'c' || grammar === 'cpp') return [...syntaxQueries.c.extensions, ...syntaxQueries.cpp.extensions];
  return syntaxQueries[grammar].extensions;
}

function cDeclarations(): string {
  return `
    (function_definition) @function (declaration) @variable (field_declaration) @field
    (struct_specifier body: (_)) @struct (union_specifier body: (_)) @struct (enum_specifier body: (_)) @enum (enumerator) @enum_member
    (type_definition) @type (preproc_def) @macro (preproc_function_def) @macro`;
}

/** Files in which declarations are looked for by the look of their lines, where no grammar is at hand. */
export const textualExtensions: readonly string[] = [
  'go',
  'rs',
  'java',
  'kt',
  'kts',
  'scala',
  'c',
  'h',
  'cc',
  'cpp',
  'cxx',
  'hpp',
  'hh',
  'cs',
  'rb',
  'php',
  'swift',
  'sh',
  'bash',
  'lua',
  'dart',
  'ex',
  'exs',
  'pl',
  'pm',
  'r',
  'jl',
  'zig',
  'proto',
  'graphql',
  'md',
  'markdown',
  'py',
  'pyi',
  'ts',
  'tsx',
  'js',
  'jsx',
  'mjs',
  'cjs',
  'vue',
  'svelte',
];

import type { ClientCapabilities } from 'vscode-languageserver-protocol';

/**
 * What Sightline tells every language server it understands. Servers keep silent about features a client does not declare,
 * so everything that is used is declared, and nothing that is not. Only UTF-16 is offered: every server must speak it, and it is
 * what positions inside Sightline count, so no text is needed to convert a position.
 */
export const clientCapabilities: ClientCapabilities = {
  general: {
    positionEncodings: ['utf-16'],
    staleRequestSupport: { cancel: true, retryOnContentModified: [] },
  },
  // rust-analyzer then says when it knows everything.
  experimental: { serverStatusNotification: true },
  window: { workDoneProgress: true, showMessage: {}, showDocument: { support: false } },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    executeCommand: { dynamicRegistration: true },
    fileOperations: { willRename: true, didRename: true, dynamicRegistration: true },
    symbol: { symbolKind: { valueSet: kinds(26) }, resolveSupport: { properties: ['location.range'] } },
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create', 'rename', 'delete'],
      failureHandling: 'abort',
      normalizesLineEndings: false,
      changeAnnotationSupport: { groupsOnLabel: false },
    },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: true, didSave: true },
    references: { dynamicRegistration: true },
    definition: { dynamicRegistration: true, linkSupport: true },
    declaration: { dynamicRegistration: true, linkSupport: true },
    typeDefinition: { dynamicRegistration: true, linkSupport: true },
    implementation: { dynamicRegistration: true, linkSupport: true },
    hover: { dynamicRegistration: true, contentFormat: ['markdown', 'plaintext'] },
    signatureHelp: {
      dynamicRegistration: true,
      signatureInformation: { documentationFormat: ['markdown', 'plaintext'], activeParameterSupport: true },
    },
    documentSymbol: {
      dynamicRegistration: true,
      hierarchicalDocumentSymbolSupport: true,
      symbolKind: { valueSet: kinds(26) },
      tagSupport: { valueSet: [1] },
    },
    callHierarchy: { dynamicRegistration: true },
    typeHierarchy: { dynamicRegistration: true },
    completion: {
      dynamicRegistration: true,
      contextSupport: true,
      completionItem: {
        snippetSupport: false,
        documentationFormat: ['markdown', 'plaintext'],
        deprecatedSupport: true,
        labelDetailsSupport: true,
        insertReplaceSupport: true,
        resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
      },
      completionItemKind: { valueSet: kinds(25) },
    },
    codeAction: {
      dynamicRegistration: true,
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
      codeActionLiteralSupport: {
        codeActionKind: {
          valueSet: [
            '',
            'quickfix',
            'refactor',
            'refactor.extract',
            'refactor.inline',
            'refactor.rewrite',
            'refactor.move',
            'source',
            'source.organizeImports',
            'source.fixAll',
          ],
        },
      },
    },
    formatting: { dynamicRegistration: true },
    rangeFormatting: { dynamicRegistration: true },
    rename: { dynamicRegistration: true, prepareSupport: true, honorsChangeAnnotations: false },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    publishDiagnostics: {
      relatedInformation: true,
      tagSupport: { valueSet: [1, 2] },
      versionSupport: true,
      codeDescriptionSupport: true,
      dataSupport: true,
    },
  },
};

/** The kinds of symbols and completions are numbered from 1. The package calls them a union of numbers, so they are listed as such. */
function kinds<T extends number>(last: number): T[] {
  return Array.from({ length: last }, (_unused, index) => (index + 1) as T);
}

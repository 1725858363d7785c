// Starts the language server of Wongar, as README.md beside this folder tells.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const settings = workspace.getConfiguration("wongar");
  const server = { command: settings.get("command"), args: ["lsp"] };
  client = new LanguageClient("wongar", "Wongar", server, {
    documentSelector: [{ language: "game-rules" }],
    initializationOptions: { lang: settings.get("lang") || undefined },
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{rules,po,yaml}") },
  });
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
